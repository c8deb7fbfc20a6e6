import OperationLog

extension PeerMessage {
    /// Bodies that may be asked for at once.
    public static let maximumBodies = 256
}

/// ``BodyMessage/wanted(_:)`` as bytes.
enum BodiesWantedMessage: MessageKind {
    static let kind: UInt8 = 15
    static let purpose = MessagePurpose.bodies
    static let circle = MessageCircle.anybody
    /// Each is answered with up to 512 KiB.
    private static let limit = RateLimit(of: kind, burst: 64, every: .milliseconds(20))

    static func limits(isOutside: Bool) -> [RateLimit] { [limit] }

    static func write(_ lane: PeerMessage.LaneSlot, _ ids: [OperationID], to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(lane)
        writer.write(ascending: ids)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .conversation(
            try reader.laneSlot(),
            .bodies(.wanted(try reader.ascending(of: "bodies", limit: PeerMessage.maximumBodies))))
    }
}
