import LocalAPIModel

/// Brings notifications before the user.
///
/// Its methods return at once: whatever is slow or hangs behind it, the node goes on.
public protocol NotificationSink: Sendable {
    /// Begins; nothing is shown before.
    ///
    /// - Parameter act: called, on any thread, with what the user does with a notification.
    func start(acting act: @escaping @Sendable (NotificationAction) -> Void)

    /// Shows a notification in the place of the one of the same conversation.
    func show(_ notification: NotificationDescription)

    /// Takes away the notification of a conversation.
    func clear(conversation: String)

    /// Opens what a notification leads to, after the user wanted to see it and nothing that is open already showed it.
    func open(_ notification: NotificationDescription)

    /// Ends. What is shown stays.
    func stop()
}

/// What a user does with a notification.
public enum NotificationAction: Hashable, Sendable {
    /// They want to see the conversation.
    case open(NotificationDescription)
    /// They have read it.
    case markRead(conversation: String)
    /// They answer.
    case reply(String, conversation: String)
}
