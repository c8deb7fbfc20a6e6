/// What became of a grant: why a person has the role they have, and what a grant without effect came to.
public struct GrantOutcome<ID: Hashable & Sendable>: Hashable, Sendable {
    /// The operation that makes the grant.
    public let operation: ID
    /// The place of the grant in it.
    public let slot: UInt64
    /// The role that was granted.
    public let role: Role
    /// Whether the operation is void, so that nothing was granted.
    public let isVoid: Bool
    /// What is left of it; nil if nothing is.
    public let remainingRole: Role?
    /// Whether this is the grant by which the person is senior to others: it says since when they are a member.
    public let counts: Bool
    /// The operations that capped or ended it, the earliest first.
    public let limits: [ID]
}

extension MembershipResolver {
    /// What became of each grant that a person was ever given, the earliest first.
    ///
    /// A grant that an effective operation made may be without effect: somebody added a person again, and a removal
    /// written on old heads took that away; or somebody joined once more by an invite from before their removal.
    ///
    /// - Complexity: O(*g* · *r*) in the grants and revocations of that person.
    public func grantOutcomes(for person: Person) -> [GrantOutcome<ID>] {
        guard let person = directory.number(ofPerson: person) else { return [] }
        let resolver = settled
        var current = resolver.current
        let history = current.history
        let standing =
            resolver.roster[person]?.grant ?? (current.actingAdmin() == person ? current.oldestGrant(of: person) : nil)
        let grants = history.grantsOf[person].sorted {
            let (one, other) = (history.grants[$0], history.grants[$1])
            return one.operation == other.operation
                ? one.slot < other.slot : history.isEarlier(one.operation, than: other.operation)
        }
        return grants.map { grant in
            let maker = history.grants[grant].operation
            let isVoid = !current.counts(maker)
            let limits = isVoid ? [] : current.revocations(reaching: grant).map(\.operation)
            return GrantOutcome(
                operation: directory.operations[maker], slot: UInt64(history.grants[grant].slot),
                role: history.grants[grant].role, isVoid: isVoid, remainingRole: current.remainingRole(of: grant).role,
                counts: grant == standing,
                limits: limits.sorted { history.isEarlier($0, than: $1) }.map { directory.operations[$0] })
        }
    }
}
