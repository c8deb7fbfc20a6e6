import OperationLog

/// An input of known outcome: a file of `Tests/Corpus`, and where the fuzzer starts from.
public struct Example: Sendable {
    /// Whose input it is.
    public let decoder: Decoder
    /// What it is.
    public let name: String
    /// The input.
    public let bytes: [UInt8]
    /// What the decoder must make of it.
    public let outcome: Outcome

    /// The file, below `Tests/Corpus`: the decoder's folder, and the outcome after two hyphens.
    public var path: String { "\(decoder.name)/\(name)--\(outcome.word)" }

    static func accepted(_ decoder: Decoder, _ name: String, _ bytes: [UInt8]) -> Example {
        Example(decoder: decoder, name: name, bytes: bytes, outcome: .accepted)
    }

    static func refused(_ decoder: Decoder, _ code: String, _ name: String, _ bytes: [UInt8]) -> Example {
        Example(decoder: decoder, name: name, bytes: bytes, outcome: .refused(code))
    }

    /// All examples, the same bytes in every run.
    public static func all() throws -> [Example] {
        [
            headers, beacons, peerMessages, messageBodies, annotationBodies, membershipBodies, identityRecords,
            profileCards, cards,
            introductions, epochBodies, addresses,
            contactCodes, inviteCodes, scenarios, preferences, receipts, typingSignals, blobReferences,
            blobChunks,
        ]
        .flatMap(\.self) + (try batches()) + (try deviceProofs()) + (try channels()) + (try pictures())
            + (try photoAnswers())
    }
}

/// Bytes written canonically, right or wrong.
func wire(_ write: (inout CanonicalWriter) -> Void) -> [UInt8] {
    var writer = CanonicalWriter()
    write(&writer)
    return writer.bytes
}

extension [UInt8] {
    /// The bytes with those of a range replaced.
    func replacing(_ range: Range<Int>, with other: [UInt8]) -> [UInt8] {
        self[..<range.lowerBound] + other + self[range.upperBound...]
    }

    /// The bytes with one bit of the last changed: the end of a signature.
    var withLastBitChanged: [UInt8] { dropLast() + suffix(1).map { $0 ^ 1 } }
}
