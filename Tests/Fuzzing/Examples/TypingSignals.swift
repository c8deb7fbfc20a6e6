import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures

extension Example {
    /// The key of the epoch that all examples are sealed under.
    static let typingKey: EpochKey = {
        var random = SplitMix64(seed: 5)
        return EpochKey.generate(using: &random)
    }()

    static var typingSignals: [Example] {
        let plain = signal(counter: 300, reached: [0])
        let cut = plain.count - Signature.byteCount
        return [
            accepted(.typingSignal, "plain", plain),
            accepted(.typingSignal, "that-nobody-was-told", signal(counter: 1, reached: [])),
            accepted(
                .typingSignal, "that-a-full-view-was-told",
                signal(counter: .max, reached: Array(0..<View.maximumReaders))),
            accepted(
                .typingSignal, "with-nothing-sealed",
                Decoder.resigned(typing: head + [0] + Array(repeating: 0, count: Signature.byteCount))),
            refused(.typingSignal, "truncated", "nothing", []),
            refused(.typingSignal, "truncated", "without-its-last-byte", plain.dropLast()),
            refused(.typingSignal, "trailing_bytes", "and-a-zero", plain + [0]),
            refused(.typingSignal, "bad_signature", "forged", plain.withLastBitChanged),
            refused(.typingSignal, "bad_signature", "alice-signs-for-bob", forBob(plain)),
            refused(.typingSignal, "bad_signature", "with-another-seal", plain.replacing(cut - 1..<cut, with: [0])),
            refused(
                .typingSignal, "bad_signature", "of-no-device",
                plain.replacing(64..<96, with: Array(repeating: 0, count: 32))),
            refused(.typingSignal, "too_long", "sealed-above-the-limit", head + [0x81, 0x10]),
            refused(
                .typingSignal, "too_long", "above-the-limit", Array(repeating: 0, count: TypingSignal.maximumBytes + 1)),
        ]
    }

    private static func signal(counter: UInt64, reached: [Int]) -> [UInt8] {
        var told = DeliveredReaders()
        for place in reached { told.insert(place) }
        return TypingSignal(
            by: Cast.alice.author, in: Cast.conversation, epoch: ids(1)[0], key: typingKey,
            replicaEpoch: Array(0..<16), stamp: .init(written: 7, counter: counter), reached: told,
            nonce: Array(repeating: 3, count: ExtendedNonceCipher.nonceByteCount)
        ).encoded
    }

    /// A signal of Alice up to what is sealed.
    private static var head: [UInt8] {
        wire {
            $0.write(ids(1)[0])
            $0.write(Cast.alice.user)
            $0.write(raw: Cast.alice.author.device.key.bytes)
            $0.write(raw: Array(0..<16))
            $0.write(number: 7)
            $0.write(number: 300)
        }
    }

    private static func forBob(_ signal: [UInt8]) -> [UInt8] {
        Decoder.resigned(
            typing: signal.replacing(32..<96, with: Cast.bob.user.digest.bytes + Cast.bob.author.device.key.bytes))
    }
}
