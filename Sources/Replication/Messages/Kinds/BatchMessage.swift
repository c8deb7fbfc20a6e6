import OperationLog

/// ``PeerMessage/batch(_:isAnswer:_:)`` as bytes.
enum BatchMessage {
    static let kind: UInt8 = 9

    static func write(_ lane: PeerMessage.LaneSlot, isAnswer: Bool, _ bytes: [UInt8], to writer: inout CanonicalWriter)
    {
        writer.write(byte: kind)
        writer.write(lane)
        writer.write(byte: isAnswer ? 1 : 0)
        writer.write(raw: bytes)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .batch(try reader.laneSlot(), isAnswer: try reader.flag(), try reader.raw(reader.remaining))
    }
}
