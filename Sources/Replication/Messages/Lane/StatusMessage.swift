import OperationLog

/// ``LaneMessage/status(_:)`` and ``PeerMessage/statuses(slot:membership:content:)`` as bytes.
enum StatusMessage: MessageKind {
    static let kind: UInt8 = 4
    static let purpose = MessagePurpose.comparison
    static let circle = MessageCircle.anybody

    static func limits(isOutside: Bool) -> [RateLimit] { isOutside ? [ChainsRequestMessage.questions] : [] }
    /// In place of a lane: the digests of both follow, the membership lane's first.
    private static let bothLanes: UInt8 = 2

    static func write(_ lane: PeerMessage.LaneSlot, _ digest: LaneDigest, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(lane)
        writer.write(raw: digest.bytes)
    }

    static func write(
        slot: Int, membership: LaneDigest, content: LaneDigest, to writer: inout CanonicalWriter
    ) {
        writer.write(byte: kind)
        writer.write(count: slot)
        writer.write(byte: bothLanes)
        writer.write(raw: membership.bytes)
        writer.write(raw: content.bytes)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        let slot = try reader.slot()
        let byte = try reader.byte()
        if byte == bothLanes {
            return .statuses(slot: slot, membership: try reader.laneDigest(), content: try reader.laneDigest())
        }
        guard let lane = Lane(rawValue: byte) else { throw .invalid(field: "lane") }
        return .lane(PeerMessage.LaneSlot(slot: slot, lane: lane), .status(try reader.laneDigest()))
    }
}
