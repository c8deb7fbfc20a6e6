/// An operation in the graph, with everything that its own past says about it: the same on every replica, for ever.
struct Record: Sendable {
    /// The person who wrote it.
    let author: Int
    let deed: Deed
    /// Everything that came before it; not itself.
    let past: OperationSet
    /// 1 + the largest depth of its parents; 0 for the creation.
    let depth: Int
    /// Whether it claims that its author is the acting admin.
    let isActing: Bool
    /// The grant it acts under, if that grant is in its past or is its own acting grant.
    let authority: Int?
    /// The invite that a join, decline or cancel names, if it is one and in its past.
    let invite: Int?
    /// The grants it makes, ascending by slot.
    let grants: Range<Int>
    /// What it takes away.
    let revocations: [Revocation]
    /// The authority that must still stand for it to count.
    let warrant: Warrant?
    /// What its own past holds against it; found right after it was put into the graph.
    var objection: Objection<Int>?

    /// The rank of the grant that it acts under or, for a join, makes.
    let rank: Rank?

    /// How it is weighed against others; nil if its own past decides about it.
    var stratum: Rank? { objection == nil ? rank : nil }
}
