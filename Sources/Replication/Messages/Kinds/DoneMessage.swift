import OperationLog

/// ``PeerMessage/done(_:)`` as bytes.
enum DoneMessage {
    static let kind: UInt8 = 10

    static func write(_ lane: PeerMessage.LaneSlot, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(lane)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .done(try reader.laneSlot())
    }
}
