import OperationLog

/// ``OwnMessage/opened`` as bytes.
enum OpenedMessage: MessageKind {
    static let kind: UInt8 = 43
    static let purpose = MessagePurpose.ownDevices
    static let circle = MessageCircle.ownDevices

    static func limits(isOutside: Bool) -> [RateLimit] { [KeysWantedMessage.limit] }

    static func write(_ lane: PeerMessage.LaneSlot, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(lane)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .conversation(try reader.laneSlot(), .own(.opened))
    }
}
