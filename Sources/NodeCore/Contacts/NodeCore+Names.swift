import Conversations
import OperationLog

/// Whom a name means that several people have.
extension NodeCore {
    /// Of several people of one name the one whom the name means all the same, so that a stranger who takes a name does not take it away: the one
    /// who is verified, else the one with whom the user has shared a conversation.
    ///
    /// Nobody, if somebody else of the name is online, or was here a moment ago, and that one is not: so it looks when a person begins anew, and
    /// what is for them must not go to who they were. A name is what people hear: whoever writes it in another way has it, too.
    public func meant(by name: String, among people: [People.Person]) -> People.Person? {
        guard people.count > 1 else { return people.first }
        // Of the beginning of an id more is needed.
        let heard = People.asHeard(name)
        guard people.allSatisfy({ People.asHeard($0.name) == heard }) else { return nil }
        let verified = people.filter(\.isVerified)
        let known = verified.isEmpty ? people.filter { $0.user == me || hasShared(with: $0) } : verified
        guard known.count == 1, let one = known.first else { return nil }
        return one.isOnline || !people.contains { $0.isOnline || $0.isNearby } ? one : nil
    }

    /// Whether a person is in a conversation of the user, or ever wrote in one. What the user has not accepted does not count: everybody can add
    /// them to a group, or write to them.
    private func hasShared(with person: People.Person) -> Bool {
        let devices = person.devices.map(\.device.id)
        // A copy: what is asked notes in which conversations the user has taken part.
        var context = context
        return replicas.values.contains { replica in
            guard replica.operationCount > 0, !isRequest(replica), !context.isUnaccepted(replica) else { return false }
            if replica.group.isMember(person.user) || replica.id == ConversationID(directBetween: me, and: person.user)
            {
                return true
            }
            return devices.contains {
                replica.log.membershipFrontier.sequenceNumber(of: $0) > 0
                    || replica.log.contentFrontier.sequenceNumber(of: $0) > 0
            }
        }
    }
}
