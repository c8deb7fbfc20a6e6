import OperationLog
import Replication
import Time

/// Where others are and why they are not reached, as far as a node knows.
public struct Reachability: Sendable {
    /// The latest beacon of a device.
    public struct HeardBeacon: Hashable, Sendable {
        /// Where the device can be dialed, if the beacon is right.
        public let address: String
        /// How long ago it was heard.
        public let age: Duration
    }

    /// Where others are looked for in vain.
    public let places: [UnreachedPlace]
    /// The beacons of others.
    public let beacons: [DeviceID: HeardBeacon]
    /// How long ago the node heard a beacon of its own; nil if it never did.
    public let ownBeaconAge: Duration?
    /// For how long devices that broke the protocol are still refused.
    public let bans: [DeviceID: Duration]
}

extension NodeCore {
    /// Where others are and why they are not reached.
    public func reachability(at now: Instant) -> Reachability { discovery.reachability(at: now) }
}
