import OperationLog

extension PeerMessage {
    /// Tags, addresses or people in one message.
    public static let maximumListEntries = 4_096
}

/// ``SharingMessage/tags(_:)`` as bytes.
enum TagsMessage: MessageKind {
    static let kind: UInt8 = 2
    static let purpose = MessagePurpose.acquaintance
    static let circle = MessageCircle.anybody

    static func write(_ tags: [ConversationTag], to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(count: tags.count)
        for tag in tags { writer.write(raw: tag.bytes) }
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        var tags: [ConversationTag] = []
        for _
            in 0..<(try reader.count(of: "tags", limit: PeerMessage.maximumListEntries, each: ConversationTag.byteCount))
        {
            tags.append(ConversationTag(bytes: try reader.raw(ConversationTag.byteCount)))
        }
        return .sharing(.tags(tags))
    }
}
