import Conversations
import OperationLog
import Replication

/// Joins by code that perhaps nobody else holds.
///
/// Whoever wrote one and was cut off before an honest member had it is a stranger to the others, and strangers are told nothing. So the
/// proof is shown on, by every connection and after every start, until an operation of somebody else stands on top of the join.
extension NodeCore {
    /// Keeps showing the proof of a join that was just written; it is shown already.
    mutating func keepShowingJoin(in conversation: ConversationID) {
        joinings[conversation] = nil
        unheardJoins.insert(conversation)
        settleJoin(in: conversation)
    }

    /// Shows the proof of the join by which this user is in a conversation, if perhaps nobody else holds it: the node has just started.
    mutating func showJoin(in conversation: ConversationID) {
        guard let join = replicas[conversation]?.group.unheardJoin(of: me) else { return }
        // More than that nobody remembers of one peer.
        guard joinings.count + unheardJoins.count < Self.joinLimit else { return }
        unheardJoins.insert(conversation)
        replicate(.presenting(conversation, join.invite, join.proof))
    }

    /// Shows the proof no more once somebody else is known to hold the join.
    mutating func settleJoin(in conversation: ConversationID) {
        guard unheardJoins.contains(conversation), replicas[conversation]?.group.unheardJoin(of: me) == nil else {
            return
        }
        unheardJoins.remove(conversation)
        replicate(.withdrawn(conversation))
    }

    /// Makes room for the proof of a code by which this user still waits: joins that were written come after it.
    mutating func makeRoomForProof() {
        while joinings.count + unheardJoins.count >= Self.joinLimit, let join = unheardJoins.min() {
            unheardJoins.remove(join)
            replicate(.withdrawn(join))
        }
    }
}
