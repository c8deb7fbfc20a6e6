import Blobs
import Cryptography
import Dispatch
import OperationLog
import Replication
import Synchronization
import Testing

@testable import Node

@Suite("Verifying chunks off the queue of a connection")
struct ChunkVerificationTests {
    private let queue = DispatchQueue(label: "test")
    private let chunk: BlobChunk

    init() {
        var random = SystemRandom()
        var encoder = BlobEncoder(key: .generate(using: &random))
        let sealed = encoder.seal([UInt8](repeating: 7, count: 1_000)) ?? []
        let (address, tree) = encoder.finish()
        chunk = BlobChunk(sealed, at: 0, of: address, in: tree)
    }

    private func message(_ bytes: [UInt8]) -> [UInt8] { PeerMessage.files(.chunk(chunk.address.root, bytes)).encoded }

    /// What comes of messages, in order.
    private func prepared(_ messages: [[UInt8]], by verification: ChunkVerification) -> [ReceivedMessage] {
        let received = Mutex<[ReceivedMessage]>([])
        for message in messages { verification.verify(message) { one in received.withLock { $0.append(one) } } }
        queue.sync {}
        return received.withLock { $0 }
    }

    /// What was found of each chunk.
    private func found(_ messages: [ReceivedMessage]) -> [Result<BlobChunk, MalformedBytes>?] {
        messages.map { message in
            guard case .chunk(let found)? = message.verified else { return nil }
            return found
        }
    }

    @Test func `tells right chunks of expected blobs from wrong ones, in the order in which they came`() {
        let verification = ChunkVerification(on: queue)
        #expect(found(prepared([message(chunk.encoded)], by: verification)) == [nil], "nothing is expected")
        verification.expect(chunk.address)
        var wrong = chunk.encoded
        wrong[wrong.count - 1] ^= 1
        let all = prepared([message(wrong), message(chunk.encoded), [PeerMessage.chunkKind]], by: verification)
        #expect(found(all) == [.failure(.invalid(field: "chunk")), .success(chunk), nil])
        #expect(all.map(\.chunkRoot) == [chunk.address.root, chunk.address.root, nil])
        #expect(all.map(\.byteCount) == [message(wrong).count, message(chunk.encoded).count, 1])
    }
}
