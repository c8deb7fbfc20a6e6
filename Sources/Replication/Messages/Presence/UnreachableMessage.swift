import OperationLog

/// ``PresenceMessage/unreachable(_:)`` as bytes.
enum UnreachableMessage: MessageKind {
    static let kind: UInt8 = 31
    static let purpose = MessagePurpose.liveness
    static let circle = MessageCircle.acquaintances
    /// Each may cost a ping.
    private static let limit = RateLimit(of: kind, burst: 32, every: .seconds(1))

    static func limits(isOutside: Bool) -> [RateLimit] { [limit] }

    static func write(_ device: DeviceID, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(device)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .presence(.unreachable(try reader.identifier()))
    }
}
