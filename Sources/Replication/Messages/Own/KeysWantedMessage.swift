import OperationLog

extension PeerMessage {
    /// Keys of epochs that may be asked for at once.
    public static let maximumKeys = 256
}

/// ``OwnMessage/keysWanted(_:)`` as bytes.
enum KeysWantedMessage: MessageKind {
    static let kind: UInt8 = 33
    static let purpose = MessagePurpose.ownDevices
    static let circle = MessageCircle.ownDevices
    /// What a device of this user says of conversations. When it comes it may say each kind of each conversation.
    static let limit = RateLimit(of: kind, burst: 1 << 13, every: .milliseconds(20))

    static func limits(isOutside: Bool) -> [RateLimit] { [limit] }

    static func write(_ lane: PeerMessage.LaneSlot, _ epochs: [OperationID], to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(lane)
        writer.write(ascending: epochs)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .conversation(
            try reader.laneSlot(), .own(.keysWanted(try reader.ascending(of: "epochs", limit: PeerMessage.maximumKeys)))
        )
    }
}
