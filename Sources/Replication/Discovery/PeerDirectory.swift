import OperationLog
import Time

/// Where peers are and when to dial them.
///
/// Places come from the command line and from contact codes (kept forever), from beacons and from other peers (forgotten after many failures). A
/// place that fails is tried again after 250 ms, then ever later, at most 30 s; a beacon resets that.
///
/// What others say is an unsigned hint. So each source of hints has a maximum, and cannot displace the hints of others. Addresses that were
/// never reached are evicted first, and only a bounded number of hints is dialed at a time.
public struct PeerDirectory: Sendable {
    /// Places of which others told that are remembered at most.
    public static let maximumHints = 1_024
    /// Those of one source of hints.
    public static let maximumHintsPerSource = 64
    /// Places of which others told that are dialed at a time.
    public static let maximumDials = 16
    /// Those of one source of hints.
    static let maximumDialsPerSource = 4
    /// How long a device that broke the protocol is refused.
    public static let banDuration: Duration = .seconds(600)
    /// Devices that are refused at a time; it costs nothing to be another one.
    static let maximumBans = 1_024
    private static let minimumBackoff: Duration = .milliseconds(250)
    private static let maximumBackoff: Duration = .seconds(30)
    /// Dials that fail one after the other before an address that others told is forgotten.
    private static let maximumFailures = 12

    /// Who says that there is something at a place.
    enum HintSource: Hashable, Sendable {
        /// The host itself, by a beacon or a connection.
        case host(String)
        /// A connected device.
        case device(DeviceID)
    }

    private enum Phase: Sendable {
        /// Nothing is under way. Next: dialing.
        case idle
        /// A dial is under way, or the handshake after it. Next: connected, idle.
        case dialing
        /// The connection is up. Next: idle.
        case connected
    }

    private struct Entry: Sendable {
        let address: String
        /// Who is there, as far as anybody knows.
        var device: DeviceID?
        /// Nil for a place that the user named.
        var hintSource: HintSource?
        var phase = Phase.idle
        var failures = 0
        var next: Instant
        /// Whether somebody proved there who they are since the last failure.
        var isProven = false
        /// Smaller for what was learned earlier.
        let order: Int

        /// What makes room first: what failed most often, then what was learned first.
        func makesRoom(before other: Entry) -> Bool {
            (-failures, order) < (-other.failures, other.order)
        }
    }

    private let own: DeviceID
    private var places: [String: Entry] = [:]
    private var bans: [DeviceID: Instant] = [:]
    private var order = 0
    /// How many places each source of hints has.
    private var counts: [HintSource: Int] = [:]
    private var hintCount = 0

    /// Knows the peers of the command line.
    public init(own: DeviceID, staticPeers: [String]) {
        self.own = own
        for peer in staticPeers { insert(peer, of: nil, hintSource: nil, at: Instant(sinceStart: .zero)) }
    }

    // MARK: - Learning

    /// Takes a beacon's word for where a device is: worth a dial at once, unless one is under way. Whoever else was said to be there, the
    /// newest word counts.
    public mutating func hint(_ device: DeviceID, at address: String, now: Instant) {
        guard device != own, let local = LocalAddress(address) else { return }
        learn(address, of: device, from: .host(local.host), at: now)
        guard let place = places[address], place.phase == .idle else { return }
        if place.hintSource != nil, place.device != device {
            places[address]?.device = device
            places[address]?.isProven = false
        }
        places[address]?.failures = 0
        // A flood of beacons must not become a flood of dials.
        places[address]?.next = min(place.next, now + (place.failures == 0 ? .zero : Self.minimumBackoff))
    }

    /// Takes a connected device's word for where it listens itself, on the host that it is connected from.
    public mutating func learn(_ address: String, of device: DeviceID, at now: Instant) {
        guard device != own else { return }
        learn(address, of: device, from: .host(LocalAddress.host(of: address)), at: now)
    }

    /// Takes a peer's word for where a device is, if that is an address of a local network.
    ///
    /// - Parameter isOnThisHost: whether the peer runs on this host, whose own addresses mean something to them only then.
    public mutating func learn(
        _ address: String, of device: DeviceID, from hintSource: DeviceID, isOnThisHost: Bool, at now: Instant
    ) {
        guard device != own, let local = LocalAddress(address) else { return }
        switch local.reach {
        case .site, .link(isScoped: false): break
        case .host: guard isOnThisHost else { return }
        case .link(isScoped: true): return
        }
        learn(address, of: device, from: .device(hintSource), at: now)
    }

    /// Keeps dialing a place where a device is, as if the user had named it at the start.
    public mutating func keep(_ address: String, of device: DeviceID, at now: Instant) {
        guard device != own else { return }
        // The user's own word counts more than what a beacon or a peer said of the place.
        if places[address] == nil {
            insert(address, of: device, hintSource: nil, at: now)
        } else if places[address]?.device != nil {
            setHintSource(nil, of: address)
            places[address]?.device = device
        }
    }

    private mutating func learn(_ address: String, of device: DeviceID, from hintSource: HintSource, at now: Instant) {
        guard places[address] == nil else { return }
        if counts[hintSource, default: 0] >= Self.maximumHintsPerSource {
            guard forget(oneOf: { $0 == hintSource }) else { return }
        } else if hintCount >= Self.maximumHints {
            // Whoever told of most is asked first to make room.
            let most = counts.values.max()
            let crowded = Set(counts.filter { $0.value == most }.keys)
            guard forget(oneOf: crowded.contains) || forget(oneOf: { _ in true }) else { return }
        }
        insert(address, of: device, hintSource: hintSource, at: now)
    }

    /// Forgets a place where nobody was ever met.
    ///
    /// - Returns: whether there was one.
    private mutating func forget(oneOf isAmong: (HintSource) -> Bool) -> Bool {
        var worst: Entry?
        for place in places.values where place.phase == .idle && !place.isProven {
            guard let hintSource = place.hintSource, isAmong(hintSource), worst.map(place.makesRoom(before:)) ?? true
            else {
                continue
            }
            worst = place
        }
        guard let worst else { return false }
        remove(worst.address)
        return true
    }

    private mutating func insert(_ address: String, of device: DeviceID?, hintSource: HintSource?, at now: Instant) {
        guard places[address] == nil else { return }
        order += 1
        places[address] = Entry(address: address, device: device, next: now, order: order)
        setHintSource(hintSource, of: address)
    }

    private mutating func setHintSource(_ hintSource: HintSource?, of address: String) {
        release(places[address]?.hintSource)
        places[address]?.hintSource = hintSource
        guard let hintSource else { return }
        counts[hintSource, default: 0] += 1
        hintCount += 1
    }

    private mutating func release(_ hintSource: HintSource?) {
        guard let hintSource, let count = counts[hintSource] else { return }
        counts[hintSource] = count == 1 ? nil : count - 1
        hintCount -= 1
    }

    private mutating func remove(_ address: String) {
        release(places.removeValue(forKey: address)?.hintSource)
    }

    // MARK: - Dialing

    /// The places to dial now; each is then under way until ``ended(_:reached:at:using:)``.
    ///
    /// - Parameters:
    ///   - connected: devices that need no dial.
    ///   - reached: places that need none.
    public mutating func dials(connected: Set<DeviceID>, reached: Set<String>, at now: Instant) -> [DialTarget] {
        var due: [DialTarget] = []
        var busy = connected.union(devicesBeingDialed)
        var underWay = dialsUnderWay
        let waiting = places.values.filter { $0.phase == .idle && $0.next <= now && !reached.contains($0.address) }
        for place in waiting.sorted(by: { ($0.next, $0.address) < ($1.next, $1.address) }) {
            guard underWay.hasRoom(for: place.hintSource) else { continue }
            if let device = place.device {
                guard !busy.contains(device), !isBanned(device, at: now) else { continue }
                busy.insert(device)
            }
            underWay.add(place.hintSource)
            places[place.address]?.phase = .dialing
            due.append(DialTarget(address: place.address, device: place.hintSource == nil ? place.device : nil))
        }
        return due
    }

    /// Notes that somebody proved who they are at a place that was dialed: whatever was said of it, that is known now.
    public mutating func reached(_ target: DialTarget, _ device: DeviceID) {
        guard var place = places[target.address] else { return }
        place.phase = .connected
        place.isProven = true
        if place.hintSource != nil { place.device = device }
        places[target.address] = place
        // It counts for the host from now on, whoever told of it.
        if place.hintSource != nil { setHintSource(.host(LocalAddress.host(of: target.address)), of: target.address) }
    }

    /// Notes how a dial, or the connection it became, has ended.
    ///
    /// - Parameter reached: whether a peer introduced itself there.
    public mutating func ended(
        _ target: DialTarget, reached: Bool, at now: Instant, using random: inout some RandomNumberGenerator
    ) {
        guard var place = places[target.address] else { return }
        place.phase = .idle
        place.failures = reached ? 0 : place.failures + 1
        place.isProven = place.isProven && reached
        guard place.hintSource == nil || place.failures <= Self.maximumFailures else { return remove(target.address) }
        let wait = min(Self.maximumBackoff, Self.minimumBackoff * (1 << min(place.failures, 10)))
        place.next = now + wait * Double.random(in: 0.75...1.25, using: &random)
        places[target.address] = place
    }

    /// Remembers that a place turned out to be this node itself.
    public mutating func forget(_ target: DialTarget) {
        remove(target.address)
    }

    /// When the next dial may be due: never while ``dials(connected:reached:at:)`` would find nothing.
    public func next(connected: Set<DeviceID>, reached: Set<String>) -> Instant? {
        let busy = connected.union(devicesBeingDialed)
        let underWay = dialsUnderWay
        return places.values.compactMap { place in
            guard place.phase == .idle, !reached.contains(place.address), underWay.hasRoom(for: place.hintSource) else {
                return nil
            }
            guard let device = place.device else { return place.next }
            return busy.contains(device) ? nil : max(place.next, bans[device] ?? place.next)
        }
        .min()
    }

    private var devicesBeingDialed: Set<DeviceID> {
        Set(places.values.lazy.filter { $0.phase == .dialing }.compactMap(\.device))
    }

    private var dialsUnderWay: DialsUnderWay {
        var count = DialsUnderWay()
        for place in places.values where place.phase == .dialing { count.add(place.hintSource) }
        return count
    }

    /// How many hints are being dialed.
    private struct DialsUnderWay {
        private var count = 0
        private var ofHintSource: [HintSource: Int] = [:]

        /// Whether one more may be: always where the user named it.
        func hasRoom(for hintSource: HintSource?) -> Bool {
            guard let hintSource else { return true }
            return count < PeerDirectory.maximumDials
                && ofHintSource[hintSource, default: 0] < PeerDirectory.maximumDialsPerSource
        }

        mutating func add(_ hintSource: HintSource?) {
            guard let hintSource else { return }
            count += 1
            ofHintSource[hintSource, default: 0] += 1
        }
    }

    // MARK: - Bans

    /// Refuses a device for a while.
    public mutating func ban(_ device: DeviceID, at now: Instant) {
        if bans.count >= Self.maximumBans { bans = bans.filter { now < $0.value } }
        if bans.count >= Self.maximumBans, let first = bans.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
            bans[first.key] = nil
        }
        bans[device] = now + Self.banDuration
    }

    /// Whether a device is refused now.
    public func isBanned(_ device: DeviceID, at now: Instant) -> Bool {
        bans[device].map { now < $0 } ?? false
    }
}
