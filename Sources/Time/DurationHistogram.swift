/// How long something took, each time it happened, counted in buckets.
///
/// Its size does not depend on what it counted, and counting allocates nothing: a node counts every commit and every
/// message that comes.
public struct DurationHistogram: Sendable {
    /// Bounds at most. One bucket more has what took longer than all of them.
    public static let maximumBounds = 14

    /// Up to where each bucket goes, ascending; what took exactly so long is in it.
    public let bounds: [Duration]
    /// How long all of it took together.
    public private(set) var sum: Duration = .zero
    private var buckets = InlineArray<15, Int>(repeating: 0)

    /// Describes the buckets.
    ///
    /// - Parameter bounds: ascending; those beyond ``maximumBounds`` are left out.
    public init(bounds: [Duration]) {
        self.bounds = Array(bounds.prefix(Self.maximumBounds))
    }

    /// Counts something that took so long; what took less than nothing, by clocks that differ, took no time.
    ///
    /// - Complexity: a comparison for each bound.
    public mutating func count(_ duration: Duration) {
        let duration = max(.zero, duration)
        var bucket = 0
        while bucket < bounds.count, duration > bounds[bucket] { bucket += 1 }
        buckets[bucket] += 1
        sum += duration
    }

    /// How often it happened.
    public var total: Int {
        var total = 0
        for bucket in buckets.indices { total += buckets[bucket] }
        return total
    }

    /// For each bound how often it took no longer.
    public var cumulativeCounts: [(bound: Duration, count: Int)] {
        var count = 0
        return bounds.indices.map { bucket in
            count += buckets[bucket]
            return (bounds[bucket], count)
        }
    }
}
