/// A home that was made for another device of a user.
struct LinkedHomeDescription: Hashable, Codable {
    /// The user's id.
    let user: String
    /// What they call themselves.
    let name: String
    /// The folder.
    let home: String
    /// Whether it holds the key of their identity as well.
    let holdsRoot: Bool
}
