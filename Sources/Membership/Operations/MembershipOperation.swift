/// An operation of the membership lane, named by its place in the hash graph.
public struct MembershipOperation<ID: Hashable & Sendable, Person: Hashable & Sendable>: Hashable, Sendable {
    /// Its name.
    public let id: ID
    /// Who wrote it.
    public let author: Person
    /// The operations of the lane its author had seen, as far as none is in the past of another.
    public let parents: [ID]
    /// What it does.
    public let action: Action<ID, Person>

    /// Describes an operation.
    public init(id: ID, author: Person, parents: [ID], action: Action<ID, Person>) {
        self.id = id
        self.author = author
        self.parents = parents
        self.action = action
    }
}
