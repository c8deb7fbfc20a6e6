import OperationLog

/// ``PresenceMessage/reachabilityWanted(_:)`` as bytes.
enum ReachabilityWantedMessage: MessageKind {
    static let kind: UInt8 = 36
    static let purpose = MessagePurpose.liveness
    static let circle = MessageCircle.anybody
    /// Each may cost a dial. People ask, or a program that looks for a fault.
    private static let limit = RateLimit(of: kind, burst: 16, every: .seconds(2))

    static func limits(isOutside: Bool) -> [RateLimit] { [limit] }

    static func write(_ question: UInt64, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(number: question)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .presence(.reachabilityWanted(try reader.number()))
    }
}
