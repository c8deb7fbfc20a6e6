/// A browser that was let in, without what opens the node.
public struct WebSessionDescription: Hashable, Sendable, Codable {
    /// The id; it opens nothing.
    public var id: String
    /// When the browser was let in.
    public var createdAt: String
    /// When it last asked for something; after a restart, when it was let in.
    public var lastUsedAt: String
    /// Whether it outlives the node's run.
    public var remembered: Bool
    /// Whether it is the one that asks.
    public var isCurrent: Bool

    package init(id: String, createdAt: String, lastUsedAt: String, remembered: Bool, isCurrent: Bool) {
        self.id = id
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.remembered = remembered
        self.isCurrent = isCurrent
    }
}
