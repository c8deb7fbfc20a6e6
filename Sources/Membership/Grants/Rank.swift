/// How much a grant weighs: its role, then its seniority.
///
/// A rank never changes, and whoever grants outranks what they grant: their role is at least as high, and their grant
/// was made before, at a smaller depth. (What somebody does as acting admin makes the grant that it acts under.)
/// Authority is therefore a strict order, in which a duel has one winner before it begins.
struct Rank: Hashable, Comparable, Sendable {
    let role: Role
    let seniority: Seniority

    /// Less-than is less weight.
    static func < (left: Rank, right: Rank) -> Bool {
        left.role != right.role ? left.role < right.role : right.seniority < left.seniority
    }

    /// Whether the holder may take away a grant of the other rank: they weigh more and their role suffices.
    ///
    /// A moderator takes away member, an admin or founder everything below founder, nobody takes away founder.
    func dominates(_ other: Rank) -> Bool {
        guard self > other else { return false }
        return switch other.role {
        case .founder: false
        case .member: role >= .moderator
        case .moderator, .admin: role >= .admin
        }
    }
}
