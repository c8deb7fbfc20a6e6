import Membership

/// The rank of a grant, worked out once more from the words of the specification: role, then smaller depth, then
/// smaller slot, then smaller name. Greater is weightier.
struct IndependentRank: Comparable {
    let role: Role
    let depth: Int
    let slot: UInt64
    let name: String

    static func < (left: IndependentRank, right: IndependentRank) -> Bool {
        if left.role != right.role { return left.role < right.role }
        if left.depth != right.depth { return left.depth > right.depth }
        if left.slot != right.slot { return left.slot > right.slot }
        return right.name.utf8.lexicographicallyPrecedes(left.name.utf8)
    }
}
