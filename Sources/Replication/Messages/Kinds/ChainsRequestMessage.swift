import OperationLog

/// ``PeerMessage/chainsRequest(_:)`` as bytes.
enum ChainsRequestMessage {
    static let kind: UInt8 = 7

    static func write(_ lane: PeerMessage.LaneSlot, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(lane)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .chainsRequest(try reader.laneSlot())
    }
}
