/// A browser that was let in, without what opens the node.
public struct WebSessionDescription: Hashable, Sendable, Codable {
    /// The id; it opens nothing.
    public var id: String
    /// When the browser was let in.
    public var createdAt: String
    /// When it last asked for something.
    public var lastUsedAt: String
    /// Whether it is the one that asks.
    public var isCurrent: Bool

    package init(id: String, createdAt: String, lastUsedAt: String, isCurrent: Bool) {
        self.id = id
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.isCurrent = isCurrent
    }
}
