import Conversations
import OperationLog
import Replication

/// Conversations that strangers bring the user into: so many are taken in as they have not touched.
///
/// A key costs nothing, and each stranger may bring a group or write to the user. People whom they know may bring as many as they like.
extension NodeCore {
    /// Conversations in which the user took no part, from which on strangers bring no more.
    package static let requestLimit = 256

    /// Whether a peer may bring another conversation. Those of which nothing came yet do not count: strangers can announce any number of
    /// groups that do not exist, and must not keep out the ones that do.
    mutating func mayBring(_ conversation: ConversationID, _ peer: PeerHandle) -> Bool {
        guard joinings[conversation] == nil, let user = links[peer]?.identity?.device.user, user != me else {
            return true
        }
        noteParts()
        let requests = replicas.values.count { $0.operationCount > 0 && !touched.contains($0.id) }
        guard requests >= Self.requestLimit else { return true }
        return isFamiliar(user)
    }

    /// Whether the user took no part in a conversation, and whoever brought them into it is nobody they know, or they want to be asked.
    mutating func isUnaccepted(_ replica: Replica) -> Bool {
        guard joinings[replica.id] == nil else { return false }
        notePart(in: replica)
        guard !touched.contains(replica.id) else { return false }
        guard !awaitsConsent(replica) else { return true }
        let bringers: [UserID] =
            switch replica.log.root {
            case .direct(let first, let second): [first == me ? second : first]
            case .group:
                replica.group.members.filter { $0.user == me }.compactMap(\.addedBy) + requesters(into: replica)
            }
        return !bringers.contains { isFamiliar($0) }
    }

    /// Notes the conversations in which the user has come to take part.
    mutating func noteParts() {
        for replica in replicas.values where replica.operationCount > 0 { notePart(in: replica) }
    }

    /// Notes whether the user has come to take part in a conversation: they wrote there, which is noted when they do, read there, agreed to be in
    /// it, or made themselves a member.
    ///
    /// What their device writes by itself, a complaint about a key, is nothing that they did.
    private mutating func notePart(in replica: Replica) {
        guard !touched.contains(replica.id) else { return }
        let adding = replica.group.adding(of: me)
        let isMine = !replica.isDirect && replica.group.isMember(me) && adding == nil
        let hasAgreed = adding.map { $0 == preferences(of: replica.id).consentsTo } ?? false
        // What cannot be read is asked again next time.
        if isMine || hasAgreed || (try? storage.readMarks(in: replica.id).isEmpty) == false {
            touched.insert(replica.id)
        }
    }
}
