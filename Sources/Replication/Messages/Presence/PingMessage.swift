import OperationLog

/// ``PresenceMessage/ping(_:)`` as bytes.
enum PingMessage: MessageKind {
    static let kind: UInt8 = 12
    static let purpose = MessagePurpose.liveness
    static let circle = MessageCircle.anybody
    /// Honest nodes ask once in a second.
    private static let limit = RateLimit(of: kind, burst: 32, every: .milliseconds(100))

    static func limits(isOutside: Bool) -> [RateLimit] { [limit] }

    static func write(_ number: UInt64, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(number: number)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .presence(.ping(try reader.number()))
    }
}
