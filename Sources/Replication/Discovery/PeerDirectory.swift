import OperationLog

/// Somewhere a peer may be.
public struct DialTarget: Hashable, Comparable, Sendable {
    /// `host:port`.
    public let address: String
    /// The device we expect there, if a beacon or a peer named it.
    public let device: DeviceID?

    /// Names a place.
    public init(address: String, device: DeviceID?) {
        self.address = address
        self.device = device
    }

    /// By address.
    public static func < (left: DialTarget, right: DialTarget) -> Bool { left.address < right.address }
}

/// Where peers are and when to dial them.
///
/// Places come from the command line and from contact codes (kept for ever), from beacons and from other peers (forgotten after many failures). A
/// place that fails is tried again after 250 ms, then ever later, at most 30 s; a beacon resets that.
public struct PeerDirectory: Sendable {
    /// Places remembered at most.
    public static let limit = 1_024
    /// How long a device that broke the protocol is refused.
    public static let banLength: Duration = .seconds(600)
    private static let shortest: Duration = .milliseconds(250)
    private static let longest: Duration = .seconds(30)
    private static let patience = 12

    private struct Place: Sendable {
        var target: DialTarget
        var isStatic: Bool
        var failures = 0
        var next: Instant
        var isDialling = false
    }

    private let own: DeviceID
    private var places: [String: Place] = [:]
    private var bans: [DeviceID: Instant] = [:]

    /// Knows the peers of the command line.
    public init(own: DeviceID, staticPeers: [String]) {
        self.own = own
        let now = Instant(sinceStart: .zero)
        for peer in staticPeers {
            places[peer] = Place(target: DialTarget(address: peer, device: nil), isStatic: true, next: now)
        }
    }

    /// Takes a beacon's word for where a device is: worth a dial at once, unless one is under way.
    public mutating func hint(_ device: DeviceID, at address: String, now: Instant) {
        guard device != own else { return }
        learn(address, of: device, at: now)
        guard let place = places[address], !place.isDialling else { return }
        places[address]?.failures = 0
        // A flood of beacons must not become a flood of dials.
        places[address]?.next = min(place.next, now + (place.failures == 0 ? .zero : Self.shortest))
    }

    /// Takes a peer's word for where a device is.
    public mutating func learn(_ address: String, of device: DeviceID, at now: Instant) {
        guard device != own, places.count < Self.limit || places[address] != nil else { return }
        if places[address] == nil {
            places[address] = Place(
                target: DialTarget(address: address, device: device), isStatic: false, next: now)
        }
    }

    /// Keeps dialling a place where a device is, as if the user had named it at the start.
    public mutating func keep(_ address: String, of device: DeviceID, at now: Instant) {
        learn(address, of: device, at: now)
        guard let known = places[address]?.target.device, device != own else { return }
        // The user's own word counts more than what a beacon or a peer said of the place.
        if known != device { places[address]?.target = DialTarget(address: address, device: device) }
        places[address]?.isStatic = true
    }

    /// The places to dial now; each is then under way until ``ended(_:reached:at:using:)``.
    ///
    /// - Parameter connected: devices that need no dial.
    public mutating func dials(connected: Set<DeviceID>, reached: Set<String>, at now: Instant) -> [DialTarget] {
        var due: [DialTarget] = []
        var devices = connected.union(devicesBeingDialled)
        for (address, place) in places.sorted(by: { $0.key < $1.key }) {
            guard !place.isDialling, place.next <= now, !reached.contains(address) else { continue }
            if let device = place.target.device {
                guard !devices.contains(device), !isBanned(device, at: now) else { continue }
                devices.insert(device)
            }
            places[address]?.isDialling = true
            due.append(place.target)
        }
        return due
    }

    /// Notes how a dial, or the connection it became, has ended.
    ///
    /// - Parameter reached: whether a peer introduced itself there.
    public mutating func ended(
        _ target: DialTarget, reached: Bool, at now: Instant, using random: inout some RandomNumberGenerator
    ) {
        guard var place = places[target.address] else { return }
        place.isDialling = false
        place.failures = reached ? 0 : place.failures + 1
        guard place.isStatic || place.failures <= Self.patience else {
            places[target.address] = nil
            return
        }
        let wait = min(Self.longest, Self.shortest * (1 << min(place.failures, 10)))
        place.next = now + wait * Double.random(in: 0.75...1.25, using: &random)
        places[target.address] = place
    }

    /// Remembers that a place turned out to be this node itself.
    public mutating func forget(_ target: DialTarget) {
        places[target.address] = nil
    }

    /// Refuses a device for a while.
    public mutating func ban(_ device: DeviceID, at now: Instant) {
        bans[device] = now + Self.banLength
    }

    /// Whether a device is refused now.
    public func isBanned(_ device: DeviceID, at now: Instant) -> Bool {
        bans[device].map { now < $0 } ?? false
    }

    /// When the next dial may be due: never while ``dials(connected:reached:at:)`` would find nothing.
    public func next(connected: Set<DeviceID>, reached: Set<String>) -> Instant? {
        let busy = connected.union(devicesBeingDialled)
        return places.values.compactMap { place in
            guard !place.isDialling, !reached.contains(place.target.address) else { return nil }
            guard let device = place.target.device else { return place.next }
            return busy.contains(device) ? nil : max(place.next, bans[device] ?? place.next)
        }
        .min()
    }

    private var devicesBeingDialled: Set<DeviceID> {
        Set(places.values.lazy.filter(\.isDialling).compactMap(\.target.device))
    }
}

/// Decides which of two connections of one pair of nodes survives.
public enum ConnectionArbiter {
    /// Whether a new connection replaces the one there is. Both sides come to the same answer.
    ///
    /// Of two that were dialled from different sides the one dialled by the smaller device stays; of two dialled from one side
    /// the newer: its dialler has lost the older one.
    public static func replaces(
        existingDialler: DeviceID, newDialler: DeviceID
    ) -> Bool {
        existingDialler == newDialler || newDialler < existingDialler
    }
}
