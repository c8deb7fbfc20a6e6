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

/// What discovery knows of one device and of itself, as the device may be told.
struct Meeting: Sendable {
    /// Whether beacons are sent and heard.
    let sendsBeacons: Bool
    /// How long ago the node heard a beacon of its own; nil if it never did.
    let ownBeaconAge: Duration?
    /// The latest beacon of the device; nil if none was heard.
    let beacon: Reachability.HeardBeacon?
    /// Where the device was looked for, and not met at the last try.
    let failedDials: [ReachabilityReport.FailedDial]
}

extension NodeCore {
    /// Where others are and why they are not reached.
    public func reachability(at now: Instant) -> Reachability { discovery.reachability(at: now) }
}
