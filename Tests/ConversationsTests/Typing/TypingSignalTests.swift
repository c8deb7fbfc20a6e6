import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Testing

@Suite("Typing signals")
struct TypingSignalTests {
    private let stage = TypingStage()

    @Test func `say to the members of the moment who writes, and who knows it already`() throws {
        let sent = stage.signal(by: stage.alice, counter: 300, written: 5, reached: [0, 9])
        let heard = try TypingSignal(verifying: sent.encoded, in: stage.ship)
        #expect(heard == sent)
        #expect(heard.device == stage.alice.author.device)
        let reached = try heard.open(with: stage.key, in: stage.ship)
        #expect((0..<16).filter(reached.contains) == [0, 9])
    }

    @Test func `open with the key of their epoch only`() throws {
        var random = SplitMix64(seed: 9)
        let other = EpochKey.generate(using: &random)
        let signal = stage.signal(by: stage.alice)
        #expect(throws: Unreadable.brokenSeal) { try signal.open(with: other, in: stage.ship) }
    }

    @Test func `are nobody else's, and of no other conversation`() {
        let bytes = stage.signal(by: stage.alice).encoded
        #expect(throws: MalformedBytes.signature(field: "typing")) {
            try TypingSignal(verifying: bytes, in: stage.boat)
        }
        let user = stage.bob.user.digest.bytes + stage.bob.author.device.key.bytes
        let signedByAnother = bytes[..<32] + user + bytes[96...]
        #expect(throws: MalformedBytes.signature(field: "typing")) {
            try TypingSignal(verifying: Array(signedByAnother), in: stage.ship)
        }
    }

    @Test func `are bounded, also for a full view`() throws {
        let full = stage.signal(by: stage.alice, counter: .max, written: .max, reached: Array(0..<View.maximumReaders))
        #expect(full.encoded.count <= TypingSignal.maximumBytes)
        #expect(try TypingSignal(verifying: full.encoded, in: stage.ship) == full)
        #expect(throws: MalformedBytes.tooLong(field: "typing", limit: TypingSignal.maximumBytes)) {
            try TypingSignal(
                verifying: Array(repeating: 0, count: TypingSignal.maximumBytes + 1), in: stage.ship)
        }
    }

    @Test func `have one encoding of those who were told`() {
        #expect(DeliveredReaders(bytes: [1, 0]) == nil)
        #expect(DeliveredReaders(bytes: Array(repeating: 1, count: DeliveredReaders.maximumBytes + 1)) == nil)
        #expect(DeliveredReaders(bytes: [0, 2]).map { reached in (0..<16).filter(reached.contains) } == [9])
    }
}
