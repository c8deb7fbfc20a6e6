import Conversations
import OperationLog
import Replication

/// Conversations that strangers bring the user into: so many are taken in as he has not touched.
///
/// A key costs nothing, and each stranger may bring a group or write to the user. People whom he knows may bring as many as they like.
extension NodeCore {
    /// Conversations in which the user took no part, from which on strangers bring no more.
    package static let requestLimit = 256

    /// Whether a peer may bring another conversation.
    mutating func mayBring(_ conversation: ConversationID, _ peer: PeerHandle) -> Bool {
        guard joinings[conversation] == nil, let user = links[peer]?.identity?.device.user, user != me else {
            return true
        }
        noteParts()
        guard replicas.count - touched.count >= Self.requestLimit else { return true }
        return isFamiliar(user)
    }

    /// Notes the conversations in which the user has come to take part: he wrote there, read there, or made himself a member.
    mutating func noteParts() {
        for (id, replica) in replicas where !touched.contains(id) {
            let isMine = !replica.isDirect && replica.group.isMember(me) && replica.group.adding(of: me) == nil
            let hasWritten = replica.log.contentFrontier.tips[device.id] != nil
            // What cannot be read is asked again next time.
            if isMine || hasWritten || (try? storage.readMarks(in: id).isEmpty) == false { touched.insert(id) }
        }
    }
}
