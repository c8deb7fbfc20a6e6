/// For every replica, how many of its events have been seen: a set of events without gaps, in one number per replica.
///
/// Merging is the pointwise maximum, the least upper bound of the order ``includes(_:)``, so it is associative,
/// commutative and idempotent and never takes an event back. Vectors of the same events are equal values: a replica of
/// which nothing was seen has no number. Of two vectors that include neither the other, each has seen something the
/// other has not: they are concurrent.
///
/// Where events can arrive out of order, a ``CausalContext`` keeps what is beyond a gap.
///
/// Parker, Popek, Rudisin, Stoughton, Walker, Walton, Chow, Edwards, Kiser and Kline, "Detection of Mutual
/// Inconsistency in Distributed Systems" (IEEE Transactions on Software Engineering SE-9, 1983), the section on version
/// vectors.
@frozen
public struct VersionVector<Replica: Hashable & Sendable>: Hashable, Sendable {
    @usableFromInline var counters: [Replica: UInt64] = [:]

    /// Has seen nothing.
    @inlinable
    public init() {}

    /// How many events of a replica have been seen. O(1).
    @inlinable
    public subscript(replica: Replica) -> UInt64 { counters[replica] ?? 0 }

    /// The replicas of which something has been seen, in no order.
    @inlinable
    public var replicas: some Collection<Replica> { counters.keys }

    /// Whether an event has been seen. O(1).
    @inlinable
    public func contains(_ dot: Dot<Replica>) -> Bool { dot.counter <= self[dot.replica] }

    /// Counts the next event of a replica and names it. O(1).
    ///
    /// - Precondition: the replica is this one: only it names its own events.
    @inlinable
    public mutating func advance(_ replica: Replica) -> Dot<Replica> {
        counters[replica, default: 0] += 1
        return Dot(replica: replica, counter: self[replica])
    }

    /// Has seen everything of a replica up to a counter. O(1).
    @inlinable
    public mutating func raise(_ replica: Replica, to counter: UInt64) {
        if counter > self[replica] { counters[replica] = counter }
    }

    /// Sees what another one has seen.
    ///
    /// - Complexity: O(*m*) in the replicas of the other.
    @inlinable
    public mutating func merge(_ other: VersionVector) {
        for (replica, counter) in other.counters { raise(replica, to: counter) }
    }

    /// What both have seen together.
    ///
    /// - Complexity: O(*n* + *m*) in the replicas of both.
    @inlinable
    public func merging(_ other: VersionVector) -> VersionVector {
        var merged = self
        merged.merge(other)
        return merged
    }

    /// Whether everything another one has seen has been seen here: merging it would change nothing.
    ///
    /// - Complexity: O(*m*) in the replicas of the other.
    @inlinable
    public func includes(_ other: VersionVector) -> Bool {
        other.counters.allSatisfy { $0.value <= self[$0.key] }
    }

    /// What is seen here beyond another one: merged there it has the same effect as the whole vector.
    ///
    /// It is a vector itself, so it says nothing about a replica of which the other has seen as much.
    ///
    /// - Complexity: O(*n*) in the replicas.
    @inlinable
    public func delta(beyond other: VersionVector) -> VersionVector {
        var delta = VersionVector()
        delta.counters = counters.filter { $0.value > other[$0.key] }
        return delta
    }
}
