import OperationLog
import Replication
import Time

/// What a node remembers of strangers for a moment, and how much it does for them.
struct Strangers {
    /// A stranger who was here.
    struct Nearby {
        /// The devices that were here.
        var devices: Set<DeviceID>
        /// Where they were last.
        let host: String
        /// When they are forgotten, unless they are heard before.
        var end: Instant
    }

    /// People who are remembered as nearby at most.
    static let maximumNearby = 256
    /// Those of one host: whoever makes people up crowds out their own.
    static let maximumNearbyPerHost = 16
    /// How long somebody is nearby who is not heard any more.
    static let nearbyTime: Duration = .seconds(900)

    /// Strangers who are gone, of whom somebody may still be told.
    var gone: Set<UserID> = []
    /// Strangers who were here lately and are not connected.
    var nearby: [UserID: Nearby] = [:]
    /// When a stranger will have been connected for long enough.
    var partingAt: Instant?
    /// How often it is looked up in which conversations the user takes part.
    var participation = TokenBucket(burst: 1, interval: .seconds(1))
    /// How many strangers are compared with everybody else by name.
    var namesakes = TokenBucket(burst: 16, interval: .seconds(1))
    /// How much is written into the log of strangers.
    var diagnostics = TokenBucket(burst: 64, interval: .seconds(2))
    /// When the next of those nearby may be forgotten; what was heard of them since costs a look that finds nothing.
    private var expiry: Instant?

    /// When there is something to do.
    var next: Instant? { [partingAt, expiry].compactMap { $0 }.min() }

    /// Remembers somebody who was here.
    ///
    /// - Returns: those who are to be forgotten, because there is no room for all.
    mutating func remember(_ user: UserID, on device: DeviceID, at host: String, until end: Instant) -> [UserID] {
        let devices = (nearby[user]?.devices ?? []).union([device])
        nearby[user] = Nearby(devices: devices, host: host, end: end)
        expiry = min(expiry ?? end, end)
        var counts: [String: Int] = [:]
        for person in nearby.values { counts[person.host, default: 0] += 1 }
        let isCrowded = counts[host, default: 0] > Self.maximumNearbyPerHost
        guard isCrowded || nearby.count > Self.maximumNearby else { return [] }
        // Of this host, or of the one with most of them, whoever was heard longest ago.
        let most = isCrowded ? host : counts.min { (-$0.value, $0.key) < (-$1.value, $1.key) }?.key
        let first = nearby.filter { $0.value.host == most }.min { ($0.value.end, $0.key) < ($1.value.end, $1.key) }
        return first.map { [$0.key] } ?? []
    }

    /// Notes that somebody is connected with a device.
    mutating func meet(_ device: DeviceID, of user: UserID) {
        nearby[user]?.devices.remove(device)
    }

    /// Notes that a device was heard.
    ///
    /// - Returns: whose it is, if they are nearby.
    mutating func sight(_ device: DeviceID, until end: Instant) -> UserID? {
        guard let user = nearby.first(where: { $0.value.devices.contains(device) })?.key else { return nil }
        nearby[user]?.end = end
        return user
    }

    /// Those of whom nothing was heard for long.
    mutating func takeExpired(at now: Instant) -> [UserID] {
        guard let expiry, expiry <= now else { return [] }
        let expired = nearby.filter { $0.value.end <= now }.keys.sorted()
        self.expiry = nearby.values.lazy.map(\.end).filter { $0 > now }.min()
        return expired
    }
}
