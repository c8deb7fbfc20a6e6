import OperationLog

/// What a user is told about one conversation: everything they have not been told to have read, in one piece.
public struct Notification: Hashable, Sendable {
    /// Characters of the text.
    public static let maximumBodyLength = 100
    /// Characters of each name in the title.
    static let maximumNameLength = 50

    /// The conversation.
    public let conversation: ConversationID
    /// What happened last.
    public let trigger: NotificationTrigger
    /// How many messages it stands for; 0 where nothing was written.
    public let count: Int

    /// Where a click leads.
    public var link: ConversationLink { ConversationLink(to: conversation, at: trigger.operation) }

    /// The words for it.
    ///
    /// - Parameters:
    ///   - actor: what the person who did it last is called.
    ///   - title: what the conversation is called.
    ///   - text: what the last message says, if that can be read.
    /// - Returns: Both on one line each, harmless, the body of at most ``maximumBodyLength`` characters.
    public func words(
        actor: String, title: String, isDirect: Bool, text: String?
    ) -> (title: String, body: String) {
        let actor = SanitizedText.line(actor, limit: Self.maximumNameLength)
        let title = SanitizedText.line(title, limit: 2 * Self.maximumNameLength)
        let body: String
        switch trigger.kind {
        case .messages: body = text ?? "A new message"
        case .added: body = "You were added to this group"
        case .asked: body = "You were added to this group. Do you accept?"
        case .invited: body = "You were invited to this group. Do you accept?"
        case .removed: body = "You were removed from \(title)"
        case .actingAdmin: body = "You are now the group admin"
        }
        guard count > 1, case .messages = trigger.kind else {
            return (isDirect ? actor : "\(actor) in \(title)", SanitizedText.line(body, limit: Self.maximumBodyLength))
        }
        return (
            "\(count) new messages \(isDirect ? "from \(actor)" : "in \(title)")",
            SanitizedText.line(isDirect ? body : "\(actor): \(body)", limit: Self.maximumBodyLength)
        )
    }
}
