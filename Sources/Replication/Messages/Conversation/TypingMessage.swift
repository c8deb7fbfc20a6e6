import OperationLog

extension PeerMessage {
    /// Bytes of a signal that somebody writes, at most.
    public static let maximumTypingBytes = 512
}

/// ``ConversationMessage/typing(_:)`` as bytes.
enum TypingMessage: MessageKind {
    static let kind: UInt8 = 20
    static let purpose = MessagePurpose.typing
    static let circle = MessageCircle.acquaintances

    static func write(_ lane: PeerMessage.LaneSlot, _ signal: [UInt8], to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(lane)
        writer.write(raw: signal)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        let lane = try reader.laneSlot()
        guard lane.lane == .content else { throw .invalid(field: "lane") }
        guard reader.remaining <= PeerMessage.maximumTypingBytes else {
            throw .tooLong(field: "typing", limit: PeerMessage.maximumTypingBytes)
        }
        return .conversation(lane, .typing(try reader.raw(reader.remaining)))
    }
}
