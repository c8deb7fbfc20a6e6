/// For every replica, how many of its events have been seen: a set of events without gaps, in one number per replica.
///
/// Merging is the pointwise maximum, so it is associative, commutative and idempotent.
///
/// Parker et al., "Detection of Mutual Inconsistency in Distributed Systems" (IEEE TSE, 1983).
public struct VersionVector<Replica: Hashable & Sendable>: Hashable, Sendable {
    private var counters: [Replica: UInt64] = [:]

    /// Has seen nothing.
    public init() {}

    /// How many events of a replica have been seen.
    public subscript(replica: Replica) -> UInt64 { counters[replica] ?? 0 }

    /// The replicas of which something has been seen, in no order.
    public var replicas: some Collection<Replica> { counters.keys }

    /// Whether an event has been seen.
    public func contains(_ dot: Dot<Replica>) -> Bool { dot.counter <= self[dot.replica] }

    /// Counts the next event of a replica and names it.
    public mutating func advance(_ replica: Replica) -> Dot<Replica> {
        let next = self[replica] + 1
        counters[replica] = next
        return Dot(replica: replica, counter: next)
    }

    /// Has seen everything of a replica up to a counter.
    public mutating func raise(_ replica: Replica, to counter: UInt64) {
        if counter > self[replica] { counters[replica] = counter }
    }

    /// Sees what another one has seen.
    ///
    /// - Complexity: O(*n*) in the replicas of the other.
    public mutating func merge(_ other: VersionVector) {
        for (replica, counter) in other.counters { raise(replica, to: counter) }
    }

    /// What both have seen together.
    public func merging(_ other: VersionVector) -> VersionVector {
        var merged = self
        merged.merge(other)
        return merged
    }

    /// Whether everything another one has seen has been seen here. O(*n*) in the replicas of the other.
    public func includes(_ other: VersionVector) -> Bool {
        other.counters.allSatisfy { $0.value <= self[$0.key] }
    }

    /// What is seen here beyond another one: merged there it has the same effect as the whole vector.
    ///
    /// - Complexity: O(*n*) in the replicas.
    public func delta(beyond other: VersionVector) -> VersionVector {
        var delta = VersionVector()
        delta.counters = counters.filter { $0.value > other[$0.key] }
        return delta
    }
}
