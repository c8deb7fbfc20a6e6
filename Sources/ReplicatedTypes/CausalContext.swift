/// The events a replica has seen, gaps allowed.
///
/// For each replica it holds what a ``VersionVector`` holds, the number up to which nothing is missing, and besides
/// that a *cloud*: the events beyond a gap, as runs of numbers. A delta that arrives before the one it follows puts its
/// event into the cloud; when the gap is closed the number takes in what it reaches. Where every replica hears of all
/// events in order the cloud stays empty and the context is as small as a version vector.
///
/// Merging is the union of two sets of events, so it is associative, commutative and idempotent, and contexts of the
/// same events are equal values.
///
/// Almeida, Shoker and Baquero, "Delta State Replicated Data Types" (JPDC 111, 2018), section 7: causal contexts and
/// their compression.
@frozen
public struct CausalContext<Replica: Hashable & Sendable>: Hashable, Sendable {
    @usableFromInline var seen: [Replica: SeenEvents] = [:]

    /// Has seen nothing.
    @inlinable
    public init() {}

    /// Whether an event has been seen. O(1), and O(log *g*) in the gaps of its replica.
    @inlinable
    public func contains(_ dot: Dot<Replica>) -> Bool { seen[dot.replica]?.contains(dot.counter) ?? false }

    /// How much it takes to say what was seen: a number for each replica without gaps, and one for each run of events
    /// in the cloud.
    ///
    /// - Complexity: O(*n*) in the replicas.
    @inlinable
    public var size: Int { seen.values.reduce(0) { $0 + $1.runs.count } }

    /// Names the next event of a replica, after all of its events that were seen, and sees it. O(1).
    ///
    /// - Precondition: the replica is this one: only it names its own events.
    @inlinable
    public mutating func advance(_ replica: Replica) -> Dot<Replica> {
        Dot(replica: replica, counter: seen[replica, default: SeenEvents()].advance())
    }

    /// Sees an event.
    ///
    /// - Returns: whether it had not been seen before.
    /// - Complexity: O(1), and O(*g*) in the gaps of its replica.
    @discardableResult
    @inlinable
    public mutating func insert(_ dot: Dot<Replica>) -> Bool {
        seen[dot.replica, default: SeenEvents()].insert(dot.counter)
    }

    /// Sees what another one has seen.
    ///
    /// - Complexity: O(*m*) in the replicas of the other and the runs of its cloud, each O(*g*) in our gaps.
    @inlinable
    public mutating func merge(_ other: CausalContext) {
        for (replica, events) in other.seen { seen[replica, default: SeenEvents()].merge(events) }
    }

    /// What both have seen together.
    @inlinable
    public func merging(_ other: CausalContext) -> CausalContext {
        var merged = self
        merged.merge(other)
        return merged
    }

    /// Whether everything another one has seen has been seen here: merging it would change nothing.
    ///
    /// - Complexity: O(*m*) in the replicas of the other and the runs of its cloud, each O(log *g*) in our gaps.
    @inlinable
    public func includes(_ other: CausalContext) -> Bool {
        other.seen.allSatisfy { replica, events in
            guard let ours = seen[replica] else { return false }
            return ours.includes(events)
        }
    }

    /// The events seen without some of them, which leaves a gap for each.
    ///
    /// - Complexity: O(*n* + *d* log *d*) in the replicas with their gaps and the dots.
    @inlinable
    func removing(_ dots: [Dot<Replica>]) -> CausalContext {
        var gone: [Replica: [UInt64]] = [:]
        for dot in dots { gone[dot.replica, default: []].append(dot.counter) }
        var rest = self
        for (replica, counters) in gone {
            let events = seen[replica]?.removing(counters) ?? SeenEvents()
            rest.seen[replica] = events.isEmpty ? nil : events
        }
        return rest
    }
}
