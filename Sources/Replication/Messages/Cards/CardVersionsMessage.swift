import OperationLog

/// ``CardMessage/versions(_:)`` as bytes.
enum CardVersionsMessage: MessageKind {
    static let kind: UInt8 = 29
    static let purpose = MessagePurpose.acquaintance
    static let circle = MessageCircle.acquaintances
    /// Each is answered with up to 512 KiB; no honest node asks more often than every 3 s.
    private static let limit = RateLimit(of: kind, burst: 4, every: .seconds(2))

    static func limits(isOutside: Bool) -> [RateLimit] { [limit] }

    static func write(_ part: CardPart, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        part.write(to: &writer)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .cards(.versions(try CardPart(from: &reader)))
    }
}
