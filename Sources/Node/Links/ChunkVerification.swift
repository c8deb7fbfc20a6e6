import Blobs
import Cryptography
import Dispatch
import Replication
import Synchronization

/// Verifies the chunks that come on one connection, on a queue of its own: whatever else comes overtakes those that
/// wait.
final class ChunkVerification: Sendable {
    private let queue: DispatchQueue
    private let expected = Mutex<[Digest: BlobAddress]>([:])

    /// Begins with no blob expected.
    init(on queue: DispatchQueue = DispatchQueue(label: "moot.verify", qos: .userInitiated)) {
        self.queue = queue
    }

    /// Learns that chunks of a blob may come.
    func expect(_ address: BlobAddress) {
        expected.withLock { $0[address.root] = address }
    }

    /// Decodes messages and verifies their chunks, and gives them to `receive` in the order in which they came. A chunk
    /// of a blob that is not expected is not verified.
    func verify(_ bytes: [UInt8], then receive: @escaping @Sendable (ReceivedMessage) -> Void) {
        queue.async {
            var message = ReceivedMessage(decoding: bytes)
            if let root = message.chunkRoot, let address = self.expected.withLock({ $0[root] }) {
                message.verifyChunk(of: address)
            }
            receive(message)
        }
    }
}
