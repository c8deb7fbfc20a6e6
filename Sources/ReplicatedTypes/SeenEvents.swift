/// Which events of one replica have been seen: all up to a number, and runs of them beyond.
///
/// Kept in its only shortest form, so that equal sets of events are equal values: no run touches another one or the
/// contiguous part.
///
/// Malkhi and Terry, "Concise Version Vectors in WinFS" (Distributed Computing 20, 2007), where the gaps are the
/// exceptions of a vector.
@frozen
@usableFromInline
struct SeenEvents: Hashable, Sendable {
    /// Every event up to this one has been seen, the next one has not.
    @usableFromInline var contiguous: UInt64 = 0
    /// What has been seen beyond the first gap, ascending.
    @usableFromInline var beyond: [ClosedRange<UInt64>] = []

    /// Has seen nothing.
    @inlinable
    init() {}

    @inlinable
    var isEmpty: Bool { contiguous == 0 && beyond.isEmpty }

    /// The events without a gap between them, ascending.
    @inlinable
    var runs: [ClosedRange<UInt64>] { contiguous == 0 ? beyond : [1...contiguous] + beyond }

    /// Whether an event has been seen. O(log *g*) in the gaps.
    @inlinable
    func contains(_ counter: UInt64) -> Bool {
        counter <= contiguous || (!beyond.isEmpty && contains(counter...counter))
    }

    /// Whether a whole run of events has been seen. O(log *g*) in the gaps.
    @inlinable
    func contains(_ run: ClosedRange<UInt64>) -> Bool {
        if run.upperBound <= contiguous { return true }
        let index = beyond.firstIndex(endingAt: run.lowerBound)
        return index < beyond.endIndex && beyond[index].lowerBound <= run.lowerBound
            && run.upperBound <= beyond[index].upperBound
    }

    /// Names the next event, after all that were seen, and sees it.
    @inlinable
    mutating func advance() -> UInt64 {
        let next = (beyond.last?.upperBound ?? contiguous) + 1
        insert(next...next)
        return next
    }

    /// Sees one event, and says whether it had not been seen before. O(1) without gaps, else O(*g*) in the gaps.
    @inlinable
    mutating func insert(_ counter: UInt64) -> Bool {
        guard !contains(counter) else { return false }
        insert(counter...counter)
        return true
    }

    /// Sees a run of events.
    ///
    /// - Complexity: O(1) without gaps, else O(*g*) in the gaps.
    @inlinable
    mutating func insert(_ run: ClosedRange<UInt64>) {
        guard run.upperBound > contiguous else { return }
        // Bounds are lowered, not raised, to see whether runs touch: the last of all numbers has no successor.
        let first = beyond.isEmpty ? 0 : beyond.firstIndex(endingAt: run.lowerBound - 1)
        var end = first
        var joined = run
        while end < beyond.count, beyond[end].lowerBound - 1 <= run.upperBound {
            joined = min(joined.lowerBound, beyond[end].lowerBound)...max(joined.upperBound, beyond[end].upperBound)
            end += 1
        }
        if joined.lowerBound - 1 <= contiguous {
            contiguous = joined.upperBound
            if end > 0 { beyond.removeSubrange(..<end) }
        } else {
            beyond.replaceSubrange(first..<end, with: CollectionOfOne(joined))
        }
    }

    /// Sees what another one has seen.
    ///
    /// - Complexity: O(1) without gaps, else O(*g*) in our gaps for each run of the other.
    @inlinable
    mutating func merge(_ other: SeenEvents) {
        if other.contiguous > 0 { insert(1...other.contiguous) }
        for run in other.beyond { insert(run) }
    }

    /// Whether everything another one has seen has been seen here. O(*m* log *g*) in its runs and our gaps.
    @inlinable
    func includes(_ other: SeenEvents) -> Bool {
        other.contiguous <= contiguous && other.beyond.allSatisfy(contains)
    }

    /// The events seen without some of them.
    ///
    /// - Complexity: O(*g* + *n* log *n*) in the gaps and the events left out.
    @inlinable
    func removing(_ counters: [UInt64]) -> SeenEvents {
        var rest = SeenEvents()
        var counters = counters.sorted()[...]
        for run in runs {
            var left: ClosedRange<UInt64>? = run
            while let gone = counters.first, gone <= run.upperBound {
                counters.removeFirst()
                guard let whole = left, whole.contains(gone) else { continue }
                if whole.lowerBound < gone { rest.insert(whole.lowerBound...(gone - 1)) }
                left = gone < whole.upperBound ? (gone + 1)...whole.upperBound : nil
            }
            if let left { rest.insert(left) }
        }
        return rest
    }
}

extension [ClosedRange<UInt64>] {
    /// The first of these ascending runs that ends at a number or after it, found by halving.
    @inlinable
    func firstIndex(endingAt number: UInt64) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = (low + high) / 2
            if self[middle].upperBound < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
