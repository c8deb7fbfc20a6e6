/// Who comes first among equals: smaller depth, then smaller slot, then smaller tie-breaker. Less-than is more senior.
struct Seniority: Hashable, Comparable, Sendable {
    /// The depth of the operation that made the grant; of the invite, for a grant made by a join.
    let depth: Int
    /// The place among the grants of that operation.
    let slot: Int
    /// What nobody can choose.
    let tieBreaker: TieBreaker

    static func < (left: Seniority, right: Seniority) -> Bool {
        if left.depth != right.depth { return left.depth < right.depth }
        if left.slot != right.slot { return left.slot < right.slot }
        return left.tieBreaker < right.tieBreaker
    }
}
