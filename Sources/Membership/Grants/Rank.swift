/// How much a grant weighs: its tier, then its seniority.
///
/// A rank never changes, and whoever grants outranks what he grants: his tier is at least as high, and his grant was made before, at a
/// smaller depth. (What somebody does as acting admin makes the grant that it acts under.) Authority is therefore a strict order, in
/// which a duel has one winner before it begins.
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
