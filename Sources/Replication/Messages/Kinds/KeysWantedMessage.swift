import OperationLog

extension PeerMessage {
    /// Keys of epochs that may be asked for at once.
    public static let maximumKeys = 256
}

/// ``PeerMessage/OwnWord/keysWanted(_:)`` as bytes.
enum KeysWantedMessage {
    static let kind: UInt8 = 33

    static func write(_ lane: PeerMessage.LaneSlot, _ epochs: [OperationID], to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(lane)
        writer.write(ascending: epochs)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .own(
            try reader.laneSlot(),
            .keysWanted(try reader.ascending(of: "epochs", limit: PeerMessage.maximumKeys)))
    }
}
