import OperationLog

/// ``PrivateMessage/summary(_:)`` as bytes.
enum PrivateSummaryMessage: MessageKind {
    static let kind: UInt8 = 40
    static let purpose = MessagePurpose.ownDevices
    static let circle = MessageCircle.ownDevices
    /// Each is answered with up to 1 MiB.
    private static let limit = RateLimit(of: kind, burst: 8, every: .seconds(2))

    static func limits(isOutside: Bool) -> [RateLimit] { [limit] }

    static func write(_ summary: PrivateSummary, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        summary.write(to: &writer)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .privateState(.summary(try PrivateSummary(from: &reader)))
    }
}
