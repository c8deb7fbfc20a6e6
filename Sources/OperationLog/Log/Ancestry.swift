/// Which operations of a membership lane are in whose past, in memory that is linear in the lane.
///
/// The past of an operation is stored where that costs little: so it is for every operation of a lane whose authors saw
/// each other's. Long branches that never met make large pasts, which cost a bit for each operation. Of those, one is
/// kept wherever it took a long walk to find it, up to a limit. Any other past is rebuilt by walking back to those.
struct Ancestry: Sendable {
    /// A past of so many words is always kept.
    private static let lightWeight = 16
    /// A heavier one is kept if the walk back to kept ones passed more operations.
    private static let longWalk = 64
    /// Words that heavier pasts may take together in a short lane, and for each operation of a long one. They are
    /// spread over the lane: one that was kept stays, so that somebody who names old heads causes no longer walk than
    /// who names new ones.
    private static let budget = (least: 65_536, each: 32)

    /// The parents of all operations, one operation after the other.
    private var parents: [Int32] = []
    /// Where the parents of each operation end.
    private var ends: [Int32] = []
    /// The pasts that are kept; nil for others.
    private var kept: [MembershipPast?] = []
    private var heavyWords = 0

    /// Words for which all pasts together have room.
    var weight: Int { kept.reduce(0) { $0 + ($1?.room ?? 0) } }

    /// Appends an operation after those at some places.
    ///
    /// - Complexity: as ``extend(_:through:)`` for each parent.
    mutating func append(after parents: [Int]) {
        let (past, walked) = rebuilt(after: parents)
        self.parents.append(contentsOf: parents.map(Int32.init))
        ends.append(Int32(self.parents.count))
        let isLight = past.weight <= Self.lightWeight
        let hasRoom = heavyWords + past.weight <= max(Self.budget.least, Self.budget.each * ends.count)
        guard isLight || walked > Self.longWalk && hasRoom else { return kept.append(nil) }
        if !isLight { heavyWords += past.weight }
        kept.append(past.trimmed)
    }

    /// Everything before the operation at a place.
    ///
    /// - Complexity: O(1) if it is kept, else as ``extend(_:through:)``.
    func past(of place: Int) -> MembershipPast {
        kept[place] ?? rebuilt(after: parents(of: place)).past
    }

    /// Takes the operation at a place and everything before it into a past, which holds the past of all that it holds.
    ///
    /// - Returns: how many operations the walk passed.
    /// - Complexity: O(1) if it holds the operation. Else O(*w*) in the words of its past for each kept one to which
    ///   the walk leads, and O(*n*) in the operations on the way.
    @discardableResult
    func extend(_ past: inout MembershipPast, through place: Int) -> Int {
        var walked = 0
        var waiting = [place]
        while let next = waiting.popLast() {
            guard !past.contains(next) else { continue }
            walked += 1
            if let known = kept[next] { past.formUnion(known) } else { waiting.append(contentsOf: parents(of: next)) }
            past.insert(next)
        }
        return walked
    }

    /// How many operations are passed to find the past of the operation at a place.
    func walk(to place: Int) -> Int { kept[place] == nil ? rebuilt(after: parents(of: place)).walked : 0 }

    /// Everything up to the operations at some places, and how many the walk passed.
    private func rebuilt(after parents: some Sequence<Int>) -> (past: MembershipPast, walked: Int) {
        var past = MembershipPast()
        let walked = parents.reduce(0) { $0 + extend(&past, through: $1) }
        return (past, walked)
    }

    private func parents(of place: Int) -> some Sequence<Int> {
        let start = place == 0 ? 0 : Int(ends[place - 1])
        return parents[start..<Int(ends[place])].lazy.map(Int.init)
    }
}
