/// Who comes first among equals: smaller depth, then smaller slot, then smaller tie key. Less-than is more senior.
struct Seniority: Hashable, Comparable, Sendable {
    /// The depth of the operation that made the grant; of the invite, for a grant made by a join.
    let depth: Int
    /// The place among the grants of that operation.
    let slot: Int
    /// What nobody can choose.
    let tieKey: TieKey

    static func < (left: Seniority, right: Seniority) -> Bool {
        if left.depth != right.depth { return left.depth < right.depth }
        if left.slot != right.slot { return left.slot < right.slot }
        return left.tieKey < right.tieKey
    }
}

/// How much a grant weighs: its tier, then its seniority.
///
/// A rank never changes, and whoever grants outranks what he grants: his tier is at least as high and his grant lies in the past,
/// at a smaller depth. Authority is therefore a strict order, in which a duel has one winner before it begins.
struct Rank: Hashable, Comparable, Sendable {
    let tier: Tier
    let seniority: Seniority

    /// Less-than is less weight.
    static func < (left: Rank, right: Rank) -> Bool {
        left.tier != right.tier ? left.tier < right.tier : right.seniority < left.seniority
    }

    /// Whether the holder may take away a grant of the other rank: he weighs more and his tier suffices.
    ///
    /// A moderator takes away member, an admin or founder everything below founder, nobody takes away founder.
    func dominates(_ other: Rank) -> Bool {
        guard self > other else { return false }
        return switch other.tier {
        case .founder: false
        case .member: tier >= .moderator
        case .moderator, .admin: tier >= .admin
        }
    }
}
