/// When and with how much authority a register was written: larger depth, then greater rank, then smaller name.
///
/// The depth is a Lamport clock, so a write beats what its author had seen, and no wall clock can capture a name.
struct RegisterStamp: Hashable, Comparable, Sendable {
    let depth: Int
    let rank: Rank
    let name: Name

    /// Less-than loses.
    static func < (left: RegisterStamp, right: RegisterStamp) -> Bool {
        if left.depth != right.depth { return left.depth < right.depth }
        if left.rank != right.rank { return left.rank < right.rank }
        return right.name < left.name
    }
}
