/// A person whom a ratification keeps, and at what role.
public struct Kept<Person: Hashable & Sendable>: Hashable, Sendable {
    /// Who is kept.
    public let person: Person
    /// The role granted.
    public let role: Role

    /// Keeps a person at a role.
    public init(_ person: Person, _ role: Role) {
        self.person = person
        self.role = role
    }
}
