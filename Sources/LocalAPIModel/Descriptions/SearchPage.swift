/// A message that a search found.
public struct SearchHit: Hashable, Sendable, Codable {
    /// The message.
    public var message: MessageDescription
    /// What its conversation is called.
    public var title: String
    /// Its text on one line, cut to the surroundings of the first word that was found.
    public var excerpt: String

    package init(message: MessageDescription, title: String, excerpt: String) {
        self.message = message
        self.title = title
        self.excerpt = excerpt
    }
}

/// What a search found, the latest arrivals first.
public struct SearchPage: Hashable, Sendable, Codable {
    /// The messages.
    public var hits: [SearchHit]
    /// Pass as `before` for the next page; absent at the end.
    public var earlier: String?

    package init(hits: [SearchHit], earlier: String? = nil) {
        self.hits = hits
        self.earlier = earlier
    }
}
