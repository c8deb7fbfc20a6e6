import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures

extension Decoder {
    /// That somebody writes. What the fuzzer made of a signal is tried with Alice's signature too.
    static let typingSignal = Decoder("typing-signal") { bytes in
        let signed = resigned(typing: bytes)
        if signed != bytes { _ = try check(typing: signed) }
        return try check(typing: bytes)
    }

    private static func check(typing bytes: [UInt8]) throws -> Outcome {
        try Outcome.of { () throws(MalformedBytes) in
            try TypingSignal(verifying: bytes, in: Cast.conversation)
        } then: { signal in
            try promise("a signal keeps its bytes", signal.encoded == bytes)
            try promise("a signal is no longer than its limit", bytes.count <= TypingSignal.maximumBytes)
            if let reached = try? signal.open(with: Example.typingKey, in: Cast.conversation) {
                try promise("those who were told have one encoding", DeliveredReaders(bytes: reached.bytes) == reached)
                try promise("nobody is told beyond a view", reached.bytes.count <= DeliveredReaders.maximumBytes)
            }
            var typingIndicators = TypingIndicators()
            let outcome = typingIndicators.hear(signal, in: Cast.conversation, written: 0, at: .zero)
            try promise("who was not heard before is heard", outcome == .heard(isNews: true))
            let again = typingIndicators.hear(signal, in: Cast.conversation, written: 0, at: .seconds(60))
            try promise("nothing is heard twice", again == .outdated)
        }
    }

    static func resigned(typing bytes: [UInt8]) -> [UInt8] {
        let signed = Array(bytes.dropLast(Signature.byteCount))
        var statement = Statement("moot/1/typing")
        statement.append(Cast.conversation.digest.bytes)
        statement.append(signed)
        return signed + Cast.alice.author.sign(statement).bytes
    }
}
