/// What a person may do, less first.
package enum NaiveRole: Int, Comparable, Sendable, CaseIterable {
    case member, moderator, admin, founder

    package static func < (left: NaiveRole, right: NaiveRole) -> Bool { left.rawValue < right.rawValue }
}

/// The rank of a grant, greater is weightier: role; then smaller depth; then smaller slot; then smaller tie-breaker.
package struct NaiveRank: Comparable, Sendable {
    let role: NaiveRole
    let age: NaiveAge

    package static func < (left: NaiveRank, right: NaiveRank) -> Bool {
        left.role == right.role ? right.age < left.age : left.role < right.role
    }
}

/// How early somebody got something: (depth, slot, tie-breaker), smaller is more senior.
struct NaiveAge: Comparable, Sendable {
    let depth: Int
    let slot: UInt64
    let tieBreaker: [UInt8]

    static func < (left: NaiveAge, right: NaiveAge) -> Bool {
        if left.depth != right.depth { return left.depth < right.depth }
        if left.slot != right.slot { return left.slot < right.slot }
        return left.tieBreaker.lexicographicallyPrecedes(right.tieBreaker)
    }
}

/// How early somebody got something as those who decide confirm it; smaller is more senior.
struct NaiveConfirmedAge: Comparable, Sendable {
    let isUnconfirmed: Bool
    let age: NaiveAge

    static func < (left: NaiveConfirmedAge, right: NaiveConfirmedAge) -> Bool {
        left.isUnconfirmed == right.isUnconfirmed ? left.age < right.age : right.isUnconfirmed
    }
}

/// A role given to a person by an operation, effective or not.
struct NaiveGrant<Person: Hashable & Sendable>: Sendable {
    /// Its place in the list of all grants.
    let number: Int
    /// The number of the operation that makes it.
    let maker: Int
    let slot: UInt64
    let holder: Person
    let rank: NaiveRank

    var role: NaiveRole { rank.role }

    /// Whether whoever acts under it has power over a grant: a higher rank, and a role that suffices.
    func dominates(_ other: NaiveGrant) -> Bool {
        guard rank > other.rank else { return false }
        return switch role {
        case .founder, .admin: other.role != .founder
        case .moderator: other.role == .member
        case .member: false
        }
    }
}
