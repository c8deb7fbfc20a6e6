/// Which operations of a membership lane are in whose past, in memory that is linear in the lane.
///
/// The past of an operation is stored where that costs little: so it is for every operation of a lane whose authors saw each other's. Long
/// branches that never met make large pasts, which cost a bit for each operation. Of those, one is kept every few operations of a branch, the newest up
/// to a limit. Any other past is rebuilt by walking back to those.
struct Ancestry: Sendable {
    /// A past of so many words is always kept.
    private static let lightWeight = 16
    /// How many operations a walk back to kept pasts may pass where the limit is not reached.
    private static let longestWalk: UInt8 = 64
    /// Words that heavier pasts may take together in a short lane, and for each operation of a long one.
    private static let budget = (least: 65_536, each: 16)

    /// The parents of all operations, one operation after the other.
    private var parents: [Int32] = []
    /// Where the parents of each operation end.
    private var ends: [Int32] = []
    /// The pasts that cost little; nil for others.
    private var light: [MembershipPast?] = []
    /// How many operations a walk back from each passes at the most until the past of every one is kept.
    private var walks: [UInt8] = []
    /// Some of the others.
    private var heavy: [Int: MembershipPast] = [:]
    /// The places of those, in the order in which they came, those that were dropped at the beginning.
    private var order: [Int] = []
    private var dropped = 0
    private var heavyWords = 0

    /// Words stored for all pasts together.
    var weight: Int { light.reduce(heavyWords) { $0 + ($1?.weight ?? 0) } }

    /// Appends an operation after those at some places.
    ///
    /// - Complexity: O(*w*) for each parent in the words that its past lacks; where that past is not kept, O(*n*) in the lane.
    mutating func append(after parents: [Int]) {
        var past = MembershipPast()
        for parent in parents { extend(&past, through: parent) }
        let place = ends.count
        self.parents.append(contentsOf: parents.map(Int32.init))
        ends.append(Int32(self.parents.count))
        let isLight = past.weight <= Self.lightWeight
        light.append(isLight ? past : nil)
        let walk = isLight ? 0 : parents.reduce(1) { min($0 + Int(walks[$1]), Int(Self.longestWalk) + 1) }
        let isKept = walk > Self.longestWalk
        walks.append(isKept ? 0 : UInt8(walk))
        if isKept { keep(past, of: place) }
    }

    /// Everything before the operation at a place.
    ///
    /// - Complexity: O(1) if it is kept, else as ``extend(_:through:)``.
    func past(of place: Int) -> MembershipPast {
        if let known = known(place) { return known }
        var past = MembershipPast()
        for parent in parents(of: place) { extend(&past, through: parent) }
        return past
    }

    /// Takes the operation at a place and everything before it into a past, which holds the past of all that it holds.
    ///
    /// - Complexity: O(1) if it holds the operation. Else O(*w*) in the words of its past for each kept one to which the walk leads; where those were
    ///   dropped, O(*n*) in what is new.
    func extend(_ past: inout MembershipPast, through place: Int) {
        var waiting = [place]
        while let next = waiting.popLast() {
            guard !past.contains(next) else { continue }
            past.insert(next)
            if let known = known(next) { past.formUnion(known) } else { waiting.append(contentsOf: parents(of: next)) }
        }
    }

    private func known(_ place: Int) -> MembershipPast? { light[place] ?? heavy[place] }

    private func parents(of place: Int) -> some Sequence<Int> {
        let start = place == 0 ? 0 : Int(ends[place - 1])
        return parents[start..<Int(ends[place])].lazy.map(Int.init)
    }

    private mutating func keep(_ past: MembershipPast, of place: Int) {
        heavy[place] = past
        order.append(place)
        heavyWords += past.weight
        // The newest stays, however heavy: what comes next nearly always depends on it.
        while heavyWords > max(Self.budget.least, Self.budget.each * ends.count), dropped < order.count - 1 {
            heavyWords -= heavy.removeValue(forKey: order[dropped])?.weight ?? 0
            dropped += 1
        }
        if dropped > order.count / 2 {
            order.removeFirst(dropped)
            dropped = 0
        }
    }
}
