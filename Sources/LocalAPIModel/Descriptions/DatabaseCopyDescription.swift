/// A copy of a node's database, in a file of its home.
public struct DatabaseCopyDescription: Hashable, Sendable, Codable {
    /// Where it is. Whoever asked for it removes it.
    public var path: String
    /// Its bytes.
    public var bytes: Int

    package init(path: String, bytes: Int) {
        (self.path, self.bytes) = (path, bytes)
    }
}
