import Cryptography
import OperationLog
import Replication
import Synchronization

/// Decodes and verifies the batches of one connection on the connection's own queue, while the node commits the batch before.
///
/// It needs to know which conversation each slot of the peer means; the node tells it when the replicator recognizes one.
final class BatchPreparation: Sendable {
    private let conversations = Mutex<[Int: ConversationID]>([:])

    /// Learns what a slot means.
    func recognize(_ conversation: ConversationID, slot: Int) {
        conversations.withLock { $0[slot] = conversation }
    }

    /// Does what can be done with a message without the node's state; the node judges everything else.
    func prepare(_ message: [UInt8]) -> PreparedMessage {
        guard message.first == PeerMessage.batchKind,
            case .batch(let slot, let isAnswer, let bytes)? = try? PeerMessage(decoding: message)
        else { return PreparedMessage(bytes: message) }
        guard let conversation = conversations.withLock({ $0[slot.slot] }) else {
            return PreparedMessage(bytes: message, lane: slot, isAnswer: isAnswer)
        }
        return PreparedMessage(
            bytes: message, lane: slot, isAnswer: isAnswer,
            batch: Result { () throws(MalformedBytes) in
                let batch = try Batch(decoding: bytes, of: conversation)
                guard batch.lane == slot.lane else { throw .invalid(field: "lane") }
                return batch
            })
    }
}
