import OperationLog

extension PeerMessage {
    /// For how many days a device can keep a conversation, where not forever.
    public static let retentionRange = 1...3_650
}

/// ``OwnMessage/retention(days:)`` as bytes.
enum RetentionMessage: MessageKind {
    static let kind: UInt8 = 44
    static let purpose = MessagePurpose.ownDevices
    static let circle = MessageCircle.ownDevices

    static func limits(isOutside: Bool) -> [RateLimit] { [KeysWantedMessage.limit] }

    static func write(_ lane: PeerMessage.LaneSlot, days: Int, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(lane)
        writer.write(count: days)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        let lane = try reader.laneSlot()
        let days = try reader.count(of: "days", limit: PeerMessage.retentionRange.upperBound)
        guard PeerMessage.retentionRange.contains(days) else { throw .invalid(field: "days") }
        return .conversation(lane, .own(.retention(days: days)))
    }
}
