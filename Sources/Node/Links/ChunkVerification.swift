import Blobs
import Cryptography
import Dispatch
import OperationLog
import Replication
import Synchronization

/// Verifies the chunks that come on one connection, on a queue of its own: whatever else comes overtakes those that wait.
///
/// Who sends chunks faster than they are verified is not heard until there is room again, so no more than ``byteLimit`` and one message
/// ever wait.
final class ChunkVerification: Sendable {
    /// Bytes of messages from which on the connection rests: twice what a peer is asked for at a time.
    static let byteLimit = 2 * BlobTransfers.window * BlobChunk.byteLimit

    private struct State {
        var expected: [Digest: BlobAddress] = [:]
        var waitingBytes = 0
        var isResting = false
        /// Told when to stop reading and when to go on, in that order.
        var rest: @Sendable (Bool) -> Void = { _ in }
    }

    private let queue: DispatchQueue
    private let state = Mutex(State())

    /// Begins with no blob expected.
    init(on queue: DispatchQueue = DispatchQueue(label: "moot.verify", qos: .userInitiated)) {
        self.queue = queue
    }

    /// Learns that chunks of a blob may come.
    func expect(_ address: BlobAddress) {
        state.withLock { $0.expected[address.root] = address }
    }

    /// Learns how to let the connection rest, true, and go on, false. It must not come back to this value.
    func onRest(_ rest: @escaping @Sendable (Bool) -> Void) {
        state.withLock { $0.rest = rest }
    }

    /// Verifies the chunk of a message, and gives both to `receive`, in the order in which they came. A message with no chunk of an expected blob
    /// is given away as it is.
    func verify(_ message: [UInt8], then receive: @escaping @Sendable (PreparedMessage) -> Void) {
        count(message.count)
        queue.async {
            receive(PreparedMessage(bytes: message, chunk: self.chunk(of: message)))
            self.count(-message.count)
        }
    }

    private func chunk(of message: [UInt8]) -> Result<BlobChunk, MalformedBytes>? {
        guard case .chunk(let root, let bytes)? = try? PeerMessage(decoding: message),
            let address = state.withLock({ $0.expected[root] })
        else { return nil }
        return Result { () throws(MalformedBytes) in try BlobChunk(verifying: bytes, of: address) }
    }

    private func count(_ change: Int) {
        state.withLock { state in
            state.waitingBytes += change
            let shallRest = state.waitingBytes >= (state.isResting ? Self.byteLimit / 2 : Self.byteLimit)
            guard shallRest != state.isResting else { return }
            state.isResting = shallRest
            state.rest(shallRest)
        }
    }
}
