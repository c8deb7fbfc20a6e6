/// A lasting token for a program, without what opens the node.
public struct TokenDescription: Hashable, Sendable, Codable {
    /// What the user calls it.
    public var name: String
    /// Whether it can only look.
    public var readOnly: Bool
    /// When it was made.
    public var createdAt: String

    package init(name: String, readOnly: Bool, createdAt: String) {
        self.name = name
        self.readOnly = readOnly
        self.createdAt = createdAt
    }
}

/// A lasting token as it is told once.
public struct NewTokenDescription: Hashable, Sendable, Codable {
    /// What the user calls it.
    public var name: String
    /// Whether it can only look.
    public var readOnly: Bool
    /// When it was made.
    public var createdAt: String
    /// What opens the node, for `Authorization: Bearer`.
    public var token: String

    package init(_ description: TokenDescription, token: String) {
        name = description.name
        readOnly = description.readOnly
        createdAt = description.createdAt
        self.token = token
    }
}
