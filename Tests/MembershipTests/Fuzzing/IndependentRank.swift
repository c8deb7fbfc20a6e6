import Membership

/// The rank of a grant, worked out once more from the words of the specification: tier, then smaller depth, then smaller slot, then smaller
/// name. Greater is weightier.
struct IndependentRank: Comparable {
    let tier: Tier
    let depth: Int
    let slot: UInt64
    let name: String

    static func < (left: IndependentRank, right: IndependentRank) -> Bool {
        if left.tier != right.tier { return left.tier < right.tier }
        if left.depth != right.depth { return left.depth > right.depth }
        if left.slot != right.slot { return left.slot > right.slot }
        return right.name.utf8.lexicographicallyPrecedes(left.name.utf8)
    }
}
