import OperationLog

/// ``SharingMessage/announce(_:_:)`` as bytes.
enum AnnounceMessage: MessageKind {
    static let kind: UInt8 = 3
    static let purpose = MessagePurpose.acquaintance
    static let circle = MessageCircle.anybody

    static func write(_ conversation: ConversationID, _ root: ConversationRoot, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(conversation)
        switch root {
        case .group: writer.write(byte: 0)
        case .direct(let first, let second):
            writer.write(byte: 1)
            writer.write(first)
            writer.write(second)
        }
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        let conversation: ConversationID = try reader.identifier()
        switch try reader.byte() {
        case 0: return .sharing(.announce(conversation, .group))
        case 1:
            let first: UserID = try reader.identifier()
            let second: UserID = try reader.identifier()
            guard first <= second, conversation == ConversationID(directBetween: first, and: second) else {
                throw .invalid(field: "direct conversation")
            }
            return .sharing(.announce(conversation, .direct(first, second)))
        default: throw .invalid(field: "root")
        }
    }
}
