import LocalAPIModel

/// Messages are named by their ids or unique beginnings of them.
extension LocalClient {
    /// One message.
    public func message(_ id: String) async throws(LocalClientError) -> MessageDescription {
        try await ask(LocalRequest(.get, "messages", id))
    }

    /// Whom a message of this user reached, and who read it.
    public func receipts(of message: String) async throws(LocalClientError) -> ReceiptsDescription {
        try await ask(LocalRequest(.get, "messages", message, "receipts"))
    }

    /// Gives an own message another text.
    public func edit(_ message: String, to text: String) async throws(LocalClientError) -> MessageDescription {
        try await ask(try LocalRequest(.patch, "messages", message).with(ChangeMessage(text: text)))
    }

    /// Hides a message from everybody.
    public func delete(_ message: String) async throws(LocalClientError) -> MessageDescription {
        try await ask(LocalRequest(.delete, "messages", message))
    }

    /// Takes a file out of a message, for everybody.
    public func delete(file: String, of message: String) async throws(LocalClientError) -> MessageDescription {
        try await ask(LocalRequest(.delete, "messages", message, "files", file))
    }

    /// Takes back an own message that nobody else has yet.
    public func cancel(_ message: String) async throws(LocalClientError) -> MessageDescription {
        try await ask(LocalRequest(.delete, "messages", message, query: [("pending", "true")]))
    }

    /// Answers a message with an emoji.
    public func react(to message: String, with emoji: String) async throws(LocalClientError) -> MessageDescription {
        try await ask(LocalRequest(.put, "messages", message, "reactions", emoji))
    }

    /// Takes back an emoji.
    public func withdraw(_ emoji: String, from message: String) async throws(LocalClientError) -> MessageDescription {
        try await ask(LocalRequest(.delete, "messages", message, "reactions", emoji))
    }

    /// Pins a message to its conversation.
    public func pin(_ message: String) async throws(LocalClientError) -> MessageDescription {
        try await ask(LocalRequest(.put, "messages", message, "pin"))
    }

    /// Unpins a message.
    public func unpin(_ message: String) async throws(LocalClientError) -> MessageDescription {
        try await ask(LocalRequest(.delete, "messages", message, "pin"))
    }

    /// The messages pinned to a conversation, in its order.
    public func pins(of conversation: String) async throws(LocalClientError) -> [MessageDescription] {
        try await ask(LocalRequest(.get, "conversations", conversation, "pins"))
    }
}
