import OperationLog
import Time

/// Which of the beacons that are heard are looked at: of each host a few, and not too many in all.
///
/// Whoever sends datagrams can write any host into them as their sender, so the hosts that are remembered are bounded,
/// too. And any user of a host can send from its address. So a device that the user has to do with has a share of its
/// own, and another one for the place where it was met last: nothing uses that up but beacons that say the same. The
/// limit of this: beacons are not signed, so whoever names a certain device in theirs uses up its first share, and
/// delays that it is heard at a new place of the same host.
public struct BeaconFilter: Sendable {
    /// Hosts that are remembered at most.
    static let maximumHosts = 256
    /// Shares that are remembered at most.
    static let maximumShares = 2_048
    private static let perHost = TokenBucket(burst: 16, interval: .seconds(1))

    /// What one share is for.
    private struct Share: Hashable {
        let device: DeviceID
        let standing: PlaceStanding
    }

    private var overall = TokenBucket(burst: 256, interval: .milliseconds(20))
    private var hostBuckets: [String: TokenBucket] = [:]
    private var shares: [Share: TokenBucket] = [:]

    /// Has heard nobody.
    public init() {}

    /// Whether a beacon of a host is looked at.
    ///
    /// - Parameters:
    ///   - device: the device that it names.
    ///   - standing: what is known of that device at the place that it names.
    public mutating func admits(
        _ host: String, naming device: DeviceID, standing: PlaceStanding = .unknown, at now: Instant
    ) -> Bool {
        if standing > .unknown, takeShare(Share(device: device, standing: standing), at: now) { return true }
        let host = LocalAddress.source(host)
        if hostBuckets[host] == nil, hostBuckets.count >= Self.maximumHosts {
            hostBuckets = hostBuckets.filter { !$0.value.isFull(at: now) }
            if hostBuckets.count >= Self.maximumHosts { hostBuckets = [:] }
        }
        guard hostBuckets[host, default: Self.perHost].take(at: now) else { return false }
        return overall.take(at: now)
    }

    private mutating func takeShare(_ share: Share, at now: Instant) -> Bool {
        if shares[share] == nil, shares.count >= Self.maximumShares {
            shares = shares.filter { !$0.value.isFull(at: now) }
            guard shares.count < Self.maximumShares else { return false }
        }
        return shares[share, default: Self.perHost].take(at: now)
    }
}
