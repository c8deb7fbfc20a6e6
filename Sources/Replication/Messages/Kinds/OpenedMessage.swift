import OperationLog

/// ``PeerMessage/OwnWord/opened`` as bytes.
enum OpenedMessage {
    static let kind: UInt8 = 43

    static func write(_ lane: PeerMessage.LaneSlot, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(lane)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .own(try reader.laneSlot(), .opened)
    }
}
