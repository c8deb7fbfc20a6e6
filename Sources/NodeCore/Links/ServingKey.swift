import OperationLog
import Replication

/// A stream of batches to one peer.
struct ServingKey: Hashable {
    let peer: PeerHandle
    let conversation: ConversationID
    let lane: Lane
}
