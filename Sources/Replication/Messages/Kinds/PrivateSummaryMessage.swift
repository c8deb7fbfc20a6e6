import OperationLog

/// ``PrivateWord/summary(_:)`` as bytes.
enum PrivateSummaryMessage {
    static let kind: UInt8 = 40

    static func write(_ summary: PrivateSummary, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        summary.write(to: &writer)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .privateState(.summary(try PrivateSummary(from: &reader)))
    }
}
