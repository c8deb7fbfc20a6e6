import OperationLog

/// ``ConversationMessage/blobWanted(_:)`` as bytes.
enum BlobWantedMessage: MessageKind {
    static let kind: UInt8 = 23
    static let purpose = MessagePurpose.files
    static let circle = MessageCircle.anybody

    static func limits(isOutside: Bool) -> [RateLimit] { [PhotoWantedMessage.limit] }

    static func write(_ lane: PeerMessage.LaneSlot, _ operation: OperationID, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(lane)
        writer.write(operation)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .conversation(try reader.laneSlot(), .blobWanted(try reader.identifier()))
    }
}
