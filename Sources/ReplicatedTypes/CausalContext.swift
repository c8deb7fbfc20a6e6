/// The events a replica has seen, gaps allowed: a version vector for what is contiguous and a cloud of dots for the rest.
///
/// Almeida, Shoker and Baquero, "Delta State Replicated Data Types" (JPDC, 2018), section 7.2.
public struct CausalContext<Replica: Hashable & Sendable>: Hashable, Sendable {
    private var vector = VersionVector<Replica>()
    private var cloud: Set<Dot<Replica>> = []

    /// Has seen nothing.
    public init() {}

    /// Whether an event has been seen.
    public func contains(_ dot: Dot<Replica>) -> Bool { vector.contains(dot) || cloud.contains(dot) }

    /// How much it takes to say what was seen: one for each replica, and one for each event beyond a gap.
    public var size: Int { vector.replicas.count + cloud.count }

    /// Names the next event of a replica.
    ///
    /// - Precondition: the replica is this one; only it names its own events, so none of them is in the cloud.
    public mutating func advance(_ replica: Replica) -> Dot<Replica> { vector.advance(replica) }

    /// Sees an event. Costs O(1), and as much again for every gap it closes.
    public mutating func insert(_ dot: Dot<Replica>) {
        if dot.counter == vector[dot.replica] + 1 {
            _ = vector.advance(dot.replica)
            if !cloud.isEmpty { compact(dot.replica) }
        } else if !contains(dot) {
            cloud.insert(dot)
        }
    }

    /// Sees what another one has seen.
    ///
    /// - Complexity: O(*n* + *m*) in the replicas and the dots of the other's cloud.
    public mutating func merge(_ other: CausalContext) {
        vector.merge(other.vector)
        cloud.formUnion(other.cloud)
        for replica in Set(other.vector.replicas).union(cloud.map(\.replica)) { compact(replica) }
        let vector = vector
        cloud = cloud.filter { !vector.contains($0) }
    }

    /// Whether everything another one has seen has been seen here.
    ///
    /// - Complexity: O(*n* + *m*) in the replicas and dots of the other.
    public func includes(_ other: CausalContext) -> Bool {
        vector.includes(other.vector) && other.cloud.allSatisfy(contains)
    }

    private mutating func compact(_ replica: Replica) {
        while cloud.remove(Dot(replica: replica, counter: vector[replica] + 1)) != nil { _ = vector.advance(replica) }
    }
}
