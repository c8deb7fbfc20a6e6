/// What gives a person a tier: made by an operation at a slot. The dot of the OR-sets of participants, moderators and admins.
struct Grant<Person: Hashable & Comparable & Sendable>: Sendable {
    /// The place of the operation that made it in the order of insertion.
    let operation: Int
    let slot: Int
    let holder: Person
    let tier: Tier
    /// The depth that counts in its rank; for a `join` the depth of its invite.
    let depth: Int
    let tieKey: [UInt8]

    /// Seniority: smaller depth, then smaller slot, then smaller tie key.
    func isSenior(to other: Grant) -> Bool {
        if depth != other.depth { return depth < other.depth }
        if slot != other.slot { return slot < other.slot }
        return tieKey.lexicographicallyPrecedes(other.tieKey)
    }

    /// Rank: higher tier, then seniority. Ranks never change, and whoever grants outranks what he grants.
    func outranks(_ other: Grant) -> Bool {
        tier != other.tier ? tier > other.tier : isSenior(to: other)
    }

    /// Whether the holder may revoke another grant: he outranks it, and his tier suffices. Nobody dominates the founder.
    ///
    /// This is a strict order, which is why duels cannot exist.
    func dominates(_ other: Grant) -> Bool {
        guard outranks(other), other.tier != .founder else { return false }
        return tier >= .admin || (tier == .moderator && other.tier == .member)
    }
}

/// Names a grant.
struct GrantKey: Hashable, Sendable {
    let operation: Int
    let slot: Int
}
