import LocalAPIModel

extension LocalClient {
    /// The conversations whose name or people match, or all; those with a tag, or all.
    ///
    /// - Parameters:
    ///   - limit: how many, at most; nil for all.
    ///   - members: how many members of each are told; nil for all.
    public func conversations(
        matching query: String? = nil, tag: String? = nil, _ part: ConversationFilter.Part = .current,
        limit: Int? = nil, members: Int? = nil
    ) async throws(LocalClientError) -> [ConversationDescription] {
        try await ask(
            LocalRequest(
                .get, "conversations",
                query: [
                    ("query", query), ("tag", tag), ("archived", part == .archived ? "true" : nil),
                    ("requests", part == .requests ? "true" : nil), ("limit", limit.map(String.init)),
                    ("members", members.map(String.init)),
                ]))
    }

    /// Changes what the user keeps for themselves about a conversation.
    public func change(
        _ conversation: String, privately wish: PreferencesRequest
    ) async throws(LocalClientError) -> ConversationDescription {
        try await ask(try LocalRequest(.put, "conversations", conversation, "private").with(ChangePrivate(wish)))
    }

    /// One conversation, by id, unique id prefix or unique name.
    public func conversation(_ id: String) async throws(LocalClientError) -> ConversationDescription {
        try await ask(LocalRequest(.get, "conversations", id))
    }

    /// How much was written in a conversation over the last days, when and by whom.
    ///
    /// - Parameter timeZone: An IANA name; nil for the time zone of the node's host.
    public func statistics(
        of conversation: String, days: Int, timeZone: String? = nil
    ) async throws(LocalClientError) -> StatisticsDescription {
        try await ask(
            LocalRequest(
                .get, "conversations", conversation, "statistics",
                query: [("days", String(days)), ("time_zone", timeZone)]))
    }

    /// Makes a group.
    public func createGroup(
        name: String?, members: [String], photo: String? = nil
    ) async throws(LocalClientError) -> ConversationDescription {
        try await ask(
            try LocalRequest(.post, "conversations")
                .with(CreateConversation(kind: .group, name: name, members: members, photo: photo)))
    }

    /// Opens the direct conversation with one person.
    public func openDirect(with person: String) async throws(LocalClientError) -> ConversationDescription {
        try await ask(
            try LocalRequest(.post, "conversations").with(CreateConversation(kind: .direct, members: [person])))
    }

    /// Changes what is given and leaves the rest.
    public func change(
        _ conversation: String, name: String? = nil, description: String? = nil, photo: String? = nil,
        settings: [String: String]? = nil
    ) async throws(LocalClientError) -> ConversationDescription {
        try await ask(
            try LocalRequest(.patch, "conversations", conversation)
                .with(ChangeConversation(name: name, description: description, photo: photo, settings: settings)))
    }

    /// Keeps the messages of a conversation for so many days on this node; nil forever.
    public func keep(_ conversation: String, days: Int?) async throws(LocalClientError) -> ConversationDescription {
        try await ask(
            try LocalRequest(.put, "conversations", conversation, "retention").with(ChangeRetention(days: days)))
    }

    /// Erases a group that the user is not in any more from this node; answers with what it was.
    public func erase(_ conversation: String) async throws(LocalClientError) -> ConversationDescription {
        try await ask(LocalRequest(.delete, "conversations", conversation))
    }

    /// Says that the user looks at a conversation for the next 15 seconds, so that it needs no notifications.
    public func keepOpen(_ conversation: String) async throws(LocalClientError) -> ConversationDescription {
        try await ask(LocalRequest(.post, "conversations", conversation, "open"))
    }

    /// Says that the user looks at it no more.
    public func close(_ conversation: String) async throws(LocalClientError) -> ConversationDescription {
        try await ask(LocalRequest(.delete, "conversations", conversation, "open"))
    }

    /// Marks a conversation as read.
    ///
    /// - Parameter message: The id of the last message that was read; nil for all.
    public func markRead(
        _ conversation: String, upTo message: String? = nil
    ) async throws(LocalClientError) -> ConversationDescription {
        try await ask(
            try LocalRequest(.post, "conversations", conversation, "read").with(ReadConversation(upTo: message)))
    }
}
