/// The address of a web page in a message.
public struct LinkDescription: Hashable, Sendable, Codable {
    /// The address, made harmless; nobody has looked where it leads.
    public var url: String
    /// The id of the message.
    public var message: String
    /// The user who sent it.
    public var sender: String?
    /// What they are called.
    public var senderName: String?
    /// When, by their clock, in RFC 3339.
    public var sentAt: String

    package init(url: String, message: String, sender: String? = nil, senderName: String? = nil, sentAt: String) {
        self.url = url
        self.message = message
        self.sender = sender
        self.senderName = senderName
        self.sentAt = sentAt
    }
}

/// Links of a conversation, those that arrived latest first.
public struct LinkPage: Hashable, Sendable, Codable {
    /// The links.
    public var links: [LinkDescription]
    /// Pass as `before` for the next page; absent at the end.
    public var earlier: String?

    package init(links: [LinkDescription], earlier: String? = nil) {
        self.links = links
        self.earlier = earlier
    }
}
