/// Who is in a group, and what it is called: what follows from the operations that count.
public struct MembershipState<ID: Hashable & Comparable & Sendable, Person: Hashable & Comparable & Sendable>:
    Hashable, Sendable
{
    /// A member.
    public struct Member: Hashable, Sendable {
        /// The person.
        public let person: Person
        /// The role; admin for the acting admin.
        public let role: Role
        /// The operation that made the grant by which they are senior to others.
        public let madeBy: ID
        /// Who made that operation, unless the member did.
        public let addedBy: Person?
    }

    /// The members, the highest role first, then by seniority.
    public let members: [Member]
    /// Who has no room, in the order in which they will be let in: by role, then by what is confirmed of their
    /// seniority. Waiting never takes away authority.
    public let waitlist: [Member]
    /// Who acts as admin while nobody is admin or founder.
    public let actingAdmin: Person?
    /// For each register the value that was written last.
    public let registers: [RegisterName: String]

    /// Whether fewer than two members are left. Derived, so adding somebody ends it.
    public var isArchived: Bool { members.count < 2 }

    /// A member's role; nil for somebody who is no member or waits.
    public func role(of person: Person) -> Role? { members.first { $0.person == person }?.role }
}
