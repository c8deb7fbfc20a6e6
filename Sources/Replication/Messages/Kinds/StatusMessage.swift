import OperationLog

/// ``PeerMessage/status(_:_:)`` as bytes.
enum StatusMessage {
    static let kind: UInt8 = 4

    static func write(_ lane: PeerMessage.LaneSlot, _ digest: LaneDigest, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(lane)
        writer.write(raw: digest.bytes)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .status(try reader.laneSlot(), try reader.laneDigest())
    }
}
