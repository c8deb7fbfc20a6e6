import Blobs
import Cryptography
import Dispatch
import OperationLog
import Replication
import Synchronization

/// Verifies the chunks that come on one connection, on a queue of its own: whatever else comes overtakes those that wait.
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

    /// Verifies the chunk of a message, and gives both to `receive`, in the order in which they came. A message with no chunk of an expected blob
    /// is given away as it is.
    func verify(_ message: [UInt8], then receive: @escaping @Sendable (PreparedMessage) -> Void) {
        queue.async { receive(PreparedMessage(bytes: message, chunk: self.chunk(of: message))) }
    }

    private func chunk(of message: [UInt8]) -> Result<BlobChunk, MalformedBytes>? {
        guard case .chunk(let root, let bytes)? = try? PeerMessage(decoding: message),
            let address = expected.withLock({ $0[root] })
        else { return nil }
        return Result { () throws(MalformedBytes) in try BlobChunk(verifying: bytes, of: address) }
    }
}
