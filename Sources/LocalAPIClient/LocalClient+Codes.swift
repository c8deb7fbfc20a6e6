import LocalAPIModel

extension LocalClient {
    /// Makes a code by which one person can join a group.
    ///
    /// - Parameter seconds: how long it is good; nil for a day.
    public func makeCode(
        for conversation: String, lasting seconds: Int? = nil
    ) async throws(LocalClientError) -> NewCodeDescription {
        try await ask(
            try LocalRequest(.post, "conversations", conversation, "codes").with(MakeCode(expiresIn: seconds)))
    }

    /// The codes of a group by which somebody could join now.
    public func codes(of conversation: String) async throws(LocalClientError) -> [CodeDescription] {
        try await ask(LocalRequest(.get, "conversations", conversation, "codes"))
    }

    /// Joins a group by a code.
    public func join(code: String) async throws(LocalClientError) -> ConversationDescription {
        try await ask(try LocalRequest(.post, "join").with(JoinByCode(code: code)))
    }
}
