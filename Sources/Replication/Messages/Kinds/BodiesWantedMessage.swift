import OperationLog

extension PeerMessage {
    /// Bodies that may be asked for at once.
    public static let maximumBodies = 256
}

/// ``PeerMessage/bodiesWanted(_:_:)`` as bytes.
enum BodiesWantedMessage {
    static let kind: UInt8 = 15

    static func write(_ lane: PeerMessage.LaneSlot, _ ids: [OperationID], to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(lane)
        writer.write(ascending: ids)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .bodiesWanted(try reader.laneSlot(), try reader.ascending(of: "bodies", limit: PeerMessage.maximumBodies))
    }
}
