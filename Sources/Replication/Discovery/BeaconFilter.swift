import Time

/// Which of the beacons that are heard are looked at: of each host a few, and not too many in all.
///
/// Whoever sends datagrams can write any host into them as their sender, so the hosts that are remembered are bounded, too.
public struct BeaconFilter: Sendable {
    /// Hosts that are remembered at most.
    static let maximumHosts = 256
    private static let perHost = TokenBucket(burst: 16, interval: .seconds(1))

    private var overall = TokenBucket(burst: 256, interval: .milliseconds(20))
    private var hostBuckets: [String: TokenBucket] = [:]

    /// Has heard nobody.
    public init() {}

    /// Whether a beacon of a host is looked at.
    public mutating func admits(_ host: String, at now: Instant) -> Bool {
        let host = LocalAddress.source(host)
        if hostBuckets[host] == nil, hostBuckets.count >= Self.maximumHosts {
            hostBuckets = hostBuckets.filter { !$0.value.isFull(at: now) }
            if hostBuckets.count >= Self.maximumHosts { hostBuckets = [:] }
        }
        guard hostBuckets[host, default: Self.perHost].take(at: now) else { return false }
        return overall.take(at: now)
    }
}
