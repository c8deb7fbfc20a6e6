import OperationLog

/// ``LaneMessage/done`` as bytes.
enum DoneMessage: MessageKind {
    static let kind: UInt8 = 10
    static let purpose = MessagePurpose.comparison
    static let circle = MessageCircle.anybody

    static func write(_ lane: PeerMessage.LaneSlot, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(lane)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .lane(try reader.laneSlot(), .done)
    }
}
