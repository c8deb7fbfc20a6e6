import OperationLog

/// ``PeerMessage/blobWanted(_:_:)`` as bytes.
enum BlobWantedMessage {
    static let kind: UInt8 = 23

    static func write(_ lane: PeerMessage.LaneSlot, _ operation: OperationID, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(lane)
        writer.write(operation)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .blobWanted(try reader.laneSlot(), try reader.identifier())
    }
}
