import LocalAPIModel

extension LocalClient {
    /// Members of a conversation, the most senior first.
    ///
    /// - Parameters:
    ///   - after: the `next` of the page before; nil for the first page.
    ///   - limit: how many; nil for 50.
    public func members(
        of conversation: String, after: String? = nil, limit: Int? = nil
    ) async throws(LocalClientError) -> MemberPage {
        try await ask(
            LocalRequest(
                .get, "conversations", conversation, "members",
                query: [("after", after), ("limit", limit.map(String.init))]))
    }
}
