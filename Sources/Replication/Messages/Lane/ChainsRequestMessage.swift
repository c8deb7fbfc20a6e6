import OperationLog

/// ``LaneMessage/chainsRequest`` as bytes.
enum ChainsRequestMessage: MessageKind {
    static let kind: UInt8 = 7
    static let purpose = MessagePurpose.comparison
    static let circle = MessageCircle.anybody
    /// Questions about lanes. When two nodes meet there may be some for each conversation they share.
    static let questions = RateLimit(of: kind, burst: 1 << 15, every: .milliseconds(5))

    static func limits(isOutside: Bool) -> [RateLimit] { [questions] }

    static func write(_ lane: PeerMessage.LaneSlot, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(lane)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .lane(try reader.laneSlot(), .chainsRequest)
    }
}
