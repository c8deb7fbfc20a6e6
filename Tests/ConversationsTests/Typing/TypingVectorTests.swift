import Conversations
import Cryptography
import CryptographyFixtures
import OperationLog
import Testing

@Suite("The typing signals of an independent implementation")
struct TypingVectorTests {
    private struct Vectors: Decodable {
        let root: Hexadecimal
        let device: Hexadecimal
        let key: Hexadecimal
        let conversation: Hexadecimal
        let epoch: Hexadecimal
        let replica: Hexadecimal
        let signals: [Signal]
    }

    private struct Signal: Decodable {
        let written: UInt64
        let counter: UInt64
        let reached: [Int]
        let nonce: Hexadecimal
        let bytes: Hexadecimal
    }

    @Test func `are read and written as the page says`() throws {
        let vectors = try Fixture.load("typing-vectors.json", as: Vectors.self)
        let root = try #require(SigningKey(seed: vectors.root.bytes))
        let author = Author(
            user: UserID(root.verifyingKey), key: try #require(SigningKey(seed: vectors.device.bytes)))
        let key = try #require(EpochKey(SecretBytes(vectors.key.bytes)))
        let conversation = ConversationID(digest: try #require(Digest(bytes: vectors.conversation.bytes)))
        let epoch = OperationID(digest: try #require(Digest(bytes: vectors.epoch.bytes)))
        #expect(vectors.signals.count == 3)
        for vector in vectors.signals {
            var reached = DeliveredReaders()
            for place in vector.reached { reached.insert(place) }
            let written = TypingSignal(
                by: author, in: conversation, epoch: epoch, key: key, replicaEpoch: vectors.replica.bytes,
                stamp: TypingSignal.Stamp(written: vector.written, counter: vector.counter), reached: reached,
                nonce: vector.nonce.bytes)
            #expect(written.encoded == vector.bytes.bytes)
            let read = try TypingSignal(verifying: vector.bytes.bytes, in: conversation)
            #expect(read == written)
            #expect(try read.open(with: key, in: conversation) == reached)
        }
    }
}
