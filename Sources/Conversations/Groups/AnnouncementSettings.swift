import OperationLog

/// The operations that set who writes in a group, in the order in which they decide that.
struct AnnouncementSettings: Sendable {
    /// How many operations are remembered of the heads that were asked about.
    private static let maximumEntries = 65_536

    /// The places of those that are effective, or were once; each after those that it outwrites.
    private var places: [Int] = []
    /// What decided after the past of some heads, as far as was asked since the last verdict on one of them.
    private var decided = Remembered<[OperationID], Int?>(Self.maximumEntries)

    /// Whether there is none.
    var isEmpty: Bool { places.isEmpty }

    /// Takes over the verdict on one of them, the first one or another.
    ///
    /// - Parameter outwrites: whether of two that are effective, or were, the first one decides.
    /// - Complexity: O(log *w*) in all of them; O(*w*) in those that outwrite it where it is effective for the first
    ///   time.
    mutating func judge(_ place: Int, isEffective: Bool, outwrites: (Int, Int) -> Bool) {
        decided = Remembered(Self.maximumEntries)
        guard isEffective else { return }
        let index = places.insertionIndex { outwrites(place, $0) }
        if index == places.count || places[index] != place { places.insert(place, at: index) }
    }

    /// The one that decides after the past of some heads, if that was asked lately; nil inside for none.
    func last(at heads: [OperationID]) -> Int?? { decided[heads] }

    /// The one that decides after the past of some heads, which ``last(at:)`` does not know.
    ///
    /// - Parameter counts: whether one of them is in that past and effective.
    /// - Complexity: O(*w*) in those that come later and do not count.
    mutating func last(at heads: [OperationID], where counts: (Int) -> Bool) -> Int? {
        let last = places.last(where: counts)
        decided.note(last, for: heads, entries: heads.count)
        return last
    }
}
