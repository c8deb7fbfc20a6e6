/// A person whom a ratification keeps, and at what tier.
public struct Kept<Person: Hashable & Sendable>: Hashable, Sendable {
    /// Who is kept.
    public let person: Person
    /// The tier granted.
    public let tier: Tier

    /// Keeps a person at a tier.
    public init(_ person: Person, _ tier: Tier) {
        self.person = person
        self.tier = tier
    }
}
