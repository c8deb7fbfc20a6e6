/// A host that is about to become a device of the node's user.
public struct DeviceLinkDescription: Hashable, Sendable, Codable {
    /// What to call it while it lasts.
    public var id: String
    /// Six digits that the other host shows, too: only where they are equal do both speak with each other.
    public var digits: String
    /// How long it waits for both to agree, in seconds.
    public var expiresInSeconds: Int

    package init(id: String, digits: String, expiresInSeconds: Int) {
        self.id = id
        self.digits = digits
        self.expiresInSeconds = expiresInSeconds
    }
}
