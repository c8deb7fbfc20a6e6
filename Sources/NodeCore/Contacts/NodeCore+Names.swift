import Conversations
import OperationLog

/// Whom a name means that several people have.
extension NodeCore {
    /// Of the people whose names look like one that was typed the one whom it means, so that a stranger who takes a
    /// name does not take it away: the one who is verified, else the one with whom the user has shared a conversation.
    ///
    /// It is never somebody whose name only looks so: they must be called as it was typed, but for case and what is not
    /// seen. Among several whom the user knows equally well the spelling decides. Nobody is meant if somebody else of
    /// the name is online, or was here a moment ago, and that one is not: so it looks when a person begins anew, and
    /// what is for them must not go to who they were.
    public func meant(by name: String, among alike: [People.Person]) -> People.Person? {
        let heard = People.asHeard(name)
        let called = alike.filter { People.asHeard($0.name) == heard }
        guard alike.count > 1 else { return called.first }
        let verified = alike.filter(\.isVerified)
        let known = verified.isEmpty ? alike.filter { $0.user == me || hasShared(with: $0) } : verified
        let meant = known.count == 1 ? known : called.filter { one in known.contains { $0.user == one.user } }
        guard meant.count == 1, let one = meant.first, called.contains(where: { $0.user == one.user }) else {
            return nil
        }
        return one.isOnline || !called.contains { $0.isOnline || $0.isNearby } ? one : nil
    }

    /// Whether a person is in a conversation of the user, or ever wrote in one. What the user has not accepted does not
    /// count: everybody can add them to a group, or write to them.
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

    /// Whether the user has accepted a conversation, or begun it. What others began has a name that they chose.
    public func isAccepted(_ replica: Replica) -> Bool {
        // A copy, as above.
        var context = context
        return !isRequest(replica) && !context.isUnaccepted(replica)
    }
}
