/// Which of the beacons that are heard are looked at: of each host a few, and not too many in all.
///
/// Whoever sends datagrams can write any host into them as their sender, so the hosts that are remembered are bounded, too.
public struct BeaconFilter: Sendable {
    /// Hosts that are remembered at most.
    static let maximumHosts = 256
    private static let ofOneHost = Budget(burst: 16, interval: .seconds(1))

    private var ofAll = Budget(burst: 256, interval: .milliseconds(20))
    private var ofHost: [String: Budget] = [:]

    /// Has heard nobody.
    public init() {}

    /// Whether a beacon of a host is looked at.
    public mutating func admits(_ host: String, at now: Instant) -> Bool {
        if ofHost[host] == nil, ofHost.count >= Self.maximumHosts {
            ofHost = ofHost.filter { !$0.value.isFull(at: now) }
            if ofHost.count >= Self.maximumHosts { ofHost = [:] }
        }
        guard ofHost[host, default: Self.ofOneHost].take(at: now) else { return false }
        return ofAll.take(at: now)
    }
}
