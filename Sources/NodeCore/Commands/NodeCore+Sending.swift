import Conversations
import OperationLog

extension NodeCore {
    /// Texts one ``send(_:to:replyTo:at:)`` may commit.
    public static let textsPerRequest = 4_000

    /// Sends messages in one commit: they are on disk when this returns, and reach connected members at once.
    ///
    /// - Parameter texts: 1 to ``textsPerRequest`` texts of at most 16 KiB each.
    /// - Returns: the messages, in the order of the texts.
    /// - Throws: `conversation_not_found`, `not_a_participant`, `announcement_only`, `text_invalid`, `invalid_request`,
    ///   `disk_full`, `storage_failed`.
    public mutating func send(
        _ texts: [String], to conversation: ConversationID, replyTo answered: OperationID? = nil, at moment: Moment
    ) throws(NodeError) -> [AdmittedOperation] {
        self.moment = moment
        let replica = try replica(conversation)
        guard replica.group.isMember(me) else {
            throw NodeError(.notAParticipant, "You are not a participant in this conversation")
        }
        guard replica.group.mayWrite(me) else {
            throw NodeError(.announcementOnly, "Only admins and moderators can write in this group")
        }
        guard !texts.isEmpty, texts.count <= Self.textsPerRequest else {
            throw NodeError(.invalidRequest, "Send 1 to \(Self.textsPerRequest) texts at once")
        }
        let bodies = try texts.map { text throws(NodeError) in
            guard let body = MessageBody(text: text, replyTo: answered) else {
                throw NodeError(
                    .textInvalid, text.isEmpty ? "A message needs a text" : "A message has at most 16 KiB",
                    hint: text.isEmpty ? nil : "Split the text into several messages.")
            }
            return (OperationType.message, body.encoded)
        }
        try publishKey(in: conversation)
        let written = try write(closed: bodies, in: conversation)
        return written.filter { $0.operation.header.type == .message }
    }
}
