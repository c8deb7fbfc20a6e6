/// An operation in the graph, with everything that its own past says about it. A record never changes.
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
    /// The invite that a join, decline or cancel names, if it is one and in the graph.
    let invite: Int?
    /// The grants it makes, ascending by slot.
    let grants: Range<Int>
    /// The authority that must still stand for it to count.
    let warrant: Warrant?
    /// What its own past holds against it.
    var objection: Objection<Int>?

    /// The rank of the grant that it acts under or, for a join, makes.
    let rank: Rank?

    /// How it is weighed against others; nil if its own past decides about it.
    var stratum: Rank? { objection == nil ? rank : nil }
}

/// The authority behind an operation: a grant and how much must be left of it.
///
/// For a join it is the inviter's grant: a pending invite dies with the authority of whoever gave it.
struct Warrant: Hashable, Sendable {
    let grant: Int
    let need: Tier
}
