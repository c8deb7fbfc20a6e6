/// A page of messages in the order every replica shows them, oldest first.
public struct MessagePage: Hashable, Sendable, Codable {
    /// The messages, oldest first.
    public var messages: [MessageDescription]
    /// Pass as `before` for the page of older messages; nil at the beginning.
    public var earlier: String?
    /// Pass as `after` for the page of newer messages; nil at the end.
    public var later: String?
    /// What is missing of the conversation besides the texts of these messages; only on the page that ends with the newest ones.
    public var gaps: [GapDescription]?

    package init(
        messages: [MessageDescription], earlier: String? = nil, later: String? = nil, gaps: [GapDescription]? = nil
    ) {
        self.messages = messages
        self.earlier = earlier
        self.later = later
        self.gaps = gaps
    }
}
