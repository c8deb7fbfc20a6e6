import Blobs
import Cryptography
import OperationLog
import Replication
import Synchronization

/// Decodes and verifies the batches and chunks of one connection on the connection's own queue, while the node commits the batch before.
///
/// It needs to know which conversation each slot of the peer means; the node tells it when the replicator recognises one.
final class BatchPreparation: Sendable {
    /// A message as it arrived, and its batch if it carries one of a recognised conversation.
    struct Prepared: Sendable {
        let message: [UInt8]
        var batch: Result<Batch, MalformedBytes>?
        /// Its chunk if it carries one of an expected blob.
        var chunk: Result<BlobChunk, MalformedBytes>?
    }

    private let conversations = Mutex<[Int: ConversationID]>([:])
    private let expected = Mutex<[Digest: BlobAddress]>([:])

    /// Learns that chunks of a blob may come.
    func expect(_ address: BlobAddress) {
        expected.withLock { $0[address.root] = address }
    }

    /// Learns what a slot means.
    func recognise(_ conversation: ConversationID, slot: Int) {
        conversations.withLock { $0[slot] = conversation }
    }

    /// Does what can be done with a message without the node's state; the node judges everything else.
    func prepare(_ message: [UInt8]) -> Prepared {
        if message.first == PeerMessage.chunkKind {
            guard case .chunk(let root, let bytes)? = try? PeerMessage(decoding: message),
                let address = expected.withLock({ $0[root] })
            else { return Prepared(message: message) }
            let chunk = Result { () throws(MalformedBytes) in try BlobChunk(verifying: bytes, of: address) }
            return Prepared(message: message, chunk: chunk)
        }
        guard message.first == PeerMessage.batchKind,
            case .batch(let slot, _, let bytes)? = try? PeerMessage(decoding: message),
            let conversation = conversations.withLock({ $0[slot.slot] })
        else { return Prepared(message: message) }
        return Prepared(
            message: message,
            batch: Result { () throws(MalformedBytes) in
                let batch = try Batch(decoding: bytes, of: conversation)
                guard batch.lane == slot.lane else { throw .invalid(field: "lane") }
                return batch
            })
    }
}
