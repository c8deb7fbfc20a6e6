import OperationLog

extension PeerMessage {
    /// For how many days a device can keep a conversation, where not forever.
    public static let retentionRange = 1...3_650
}

/// ``PeerMessage/OwnWord/retention(days:)`` as bytes.
enum RetentionMessage {
    static let kind: UInt8 = 44

    static func write(_ lane: PeerMessage.LaneSlot, days: Int, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(lane)
        writer.write(count: days)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        let lane = try reader.laneSlot()
        let days = try reader.count(of: "days", limit: PeerMessage.retentionRange.upperBound)
        guard PeerMessage.retentionRange.contains(days) else { throw .invalid(field: "days") }
        return .own(lane, .retention(days: days))
    }
}
