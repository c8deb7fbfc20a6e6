import LocalAPIModel

extension LocalClient {
    /// Says that the user writes in a conversation; to be said with every key they press.
    public func type(in conversation: String) async throws(LocalClientError) -> TypingDescription {
        try await ask(LocalRequest(.post, "conversations", conversation, "typing"))
    }
}
