import OperationLog
import Replication
import Synchronization

/// Decodes the messages of one connection and verifies their batches on the connection's own queue, while the node commits the batch before.
///
/// It needs to know which conversation each slot of the peer means; the node tells it when the replicator recognizes one.
final class BatchPreparation: Sendable {
    private let conversations = Mutex<[Int: ConversationID]>([:])

    /// Learns what a slot means.
    func recognize(_ conversation: ConversationID, slot: Int) {
        conversations.withLock { $0[slot] = conversation }
    }

    /// Does what can be done with a message without the node's state; the node judges everything else.
    func prepare(_ bytes: [UInt8]) -> ReceivedMessage {
        var message = ReceivedMessage(decoding: bytes)
        if let slot = message.batchLane?.slot, let conversation = conversations.withLock({ $0[slot.slot] }) {
            message.verifyBatch(of: conversation)
        }
        return message
    }
}
