import LocalAPIModel

extension LocalClient {
    /// The most messages of one page.
    public static let maximumPage = 1_000

    /// Sends one message.
    ///
    /// - Parameters:
    ///   - clientID: The caller's name for the request; repeating it sends nothing twice.
    ///   - clearsDraft: Whether the draft of the conversation became this message, and is forgotten with it.
    public func send(
        _ text: String, to conversation: String, replyTo: String? = nil, clientID: String? = nil,
        clearsDraft: Bool = false
    ) async throws(LocalClientError) -> MessageDescription {
        try await ask(
            try LocalRequest(.post, "conversations", conversation, "messages")
                .with(
                    SendMessages(
                        text: text, replyTo: replyTo, clientId: clientID, clearDraft: clearsDraft ? true : nil)))
    }

    /// Sends several messages in one commit: all of them or none.
    public func send(
        _ texts: [String], to conversation: String, clientID: String? = nil
    ) async throws(LocalClientError) -> SentMessages {
        try await ask(
            try LocalRequest(.post, "conversations", conversation, "messages")
                .with(SendMessages(texts: texts, clientId: clientID)))
    }

    /// A page of messages, the newest ones unless told otherwise.
    ///
    /// - Parameter unread: Only those of others that the user has not read, the oldest first.
    public func messages(
        in conversation: String, before: String? = nil, after: String? = nil, unread: Bool = false, limit: Int = 50
    ) async throws(LocalClientError) -> MessagePage {
        try await ask(
            LocalRequest(
                .get, "conversations", conversation, "messages",
                query: [
                    ("before", before), ("after", after), ("unread", unread ? "true" : nil), ("limit", String(limit)),
                ]))
    }

    /// A page of messages as it came: what follows can be asked for before it is read.
    public func encodedMessages(
        in conversation: String, from place: PagePlace, limit: Int
    ) async throws(LocalClientError) -> EncodedMessagePage {
        let (status, body) = try await exchange(
            LocalRequest(
                .get, "conversations", conversation, "messages", query: [place.parameter, ("limit", String(limit))]))
        return try EncodedMessagePage(body, status: status)
    }

    /// Messages with all the words of a query, the latest arrivals first.
    public func search(
        _ query: String, in conversation: String? = nil, before: String? = nil, limit: Int
    ) async throws(LocalClientError) -> SearchPage {
        try await ask(
            LocalRequest(
                .get, "search",
                query: [("q", query), ("conversation", conversation), ("before", before), ("limit", String(limit))]))
    }

    /// A message with what is around it, at most `margin` before and after it, or the newest ones.
    public func messages(
        in conversation: String, around message: String?, margin: Int = 10
    ) async throws(LocalClientError) -> MessagePage {
        try await ask(
            LocalRequest(
                .get, "conversations", conversation, "messages",
                query: [("around", message), ("limit", String(message == nil ? 2 * margin : 2 * margin + 1))]))
    }
}
