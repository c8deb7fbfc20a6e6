import OperationLog
import Time

/// Where peers are and when to dial them.
///
/// Places come from the command line and from contact codes (kept forever), from beacons and from other peers
/// (forgotten after many failures). A place that fails, or whose connection ends at once, is tried again after 250 ms,
/// then ever later, at most 30 s; a beacon resets that.
///
/// What others say is an unsigned hint. So each source of hints has a maximum, and cannot displace the hints of others.
/// Addresses that were never reached are evicted first, and only a bounded number of hints is dialed at a time: of each
/// ``PlaceStanding`` as many, the highest first. So places of devices that nobody knows hold up no others, however long
/// a dial there takes. Nor do made-up places of a device hold up its true one: while nobody answers, dials at others
/// begin (RFC 8305, section 5), in an order in which every place has its turn.
public struct PeerDirectory: Sendable {
    /// Places of which others told that are remembered at most.
    public static let maximumHints = 1_024
    /// Those of one source of hints.
    public static let maximumHintsPerSource = 64
    /// Places of one standing of which others told that are dialed at a time.
    public static let maximumDials = 16
    /// Those of one source of hints.
    static let maximumDialsPerSource = 4
    /// How long a device that broke the protocol is refused.
    public static let banDuration: Duration = .seconds(600)
    /// Devices with which this node has parted that are remembered.
    static let maximumResting = 1_024
    /// Devices that are refused at a time; it costs nothing to be another one.
    static let maximumBans = 1_024
    static let givenUp = "given_up"
    /// How long a device is not believed again that says it is at a place where it was dialed in vain.
    private static let trialInterval: Duration = .seconds(300)
    /// How long a place is not dialed where the connection was given up: others of the device come first meanwhile.
    private static let pauseAfterGivingUp: Duration = .seconds(2)
    /// How long after one dial of a device the next may begin, at another place.
    private static let staggering: Duration = .milliseconds(500)
    /// A connection that ended so soon after its dial is no better than none.
    private static let shortMeeting: Duration = .seconds(10)
    private static let minimumBackoff: Duration = .milliseconds(250)
    private static let maximumBackoff: Duration = .seconds(30)
    /// Dials that fail one after the other before an address that others told is forgotten.
    private static let maximumFailures = 12

    /// That a device is not dialed for the time being.
    public struct Rest: Sendable {
        /// When the device is dialed again; nil for not before something happens.
        let end: Instant?
        /// Smaller for a device that went to rest earlier.
        let order: Int
    }

    private let own: DeviceID
    private(set) var places: [String: Entry] = [:]
    /// The places that may be dialed when their time comes: idle ones where nobody is who is connected.
    ///
    /// In a network where everybody has met, it is empty. So what happens to one place costs nothing for all others.
    private(set) var waiting: Set<String> = []
    /// The places where each device is said to be.
    private var placesOfDevice: [DeviceID: Set<String>] = [:]
    /// The places of which each source told.
    private var placesOfSource: [HintSource: Set<String>] = [:]
    /// Devices that need no dial.
    private(set) var connected: Set<DeviceID> = []
    /// Devices that are dialed no more for the time being, with when they are dialed again; nil in it for not before
    /// something happens.
    public private(set) var resting: [DeviceID: Rest] = [:]
    /// The places where each device is being dialed.
    private var dialing: [DeviceID: Set<String>] = [:]
    private var underWay: [PlaceStanding: DialsUnderWay] = [:]
    /// When the next dial may be due, if that is known: nil in it for never.
    private var planned: Instant??
    /// Until when devices are refused.
    public private(set) var bans: [DeviceID: Instant] = [:]
    private var order = 0
    private var hintCount = 0

    /// Knows the peers of the command line.
    public init(own: DeviceID, staticPeers: [String]) {
        self.own = own
        for peer in staticPeers { insert(peer, of: nil, hintSource: nil, at: Instant(sinceStart: .zero)) }
    }

    // MARK: - Who is connected

    /// Takes note of whether a device is connected.
    public mutating func note(_ device: DeviceID, isConnected: Bool) {
        guard connected.contains(device) != isConnected else { return }
        if isConnected {
            connected.insert(device)
            resting[device] = nil
            for address in placesOfDevice[device] ?? [] {
                guard var place = places[address], place.standing == .told, place.phase == .idle else { continue }
                place.endTrial()
                store(place)
            }
        } else {
            connected.remove(device)
        }
        for address in placesOfDevice[device] ?? [] { refresh(address) }
        // A place where it answered, and is only ``Entry/other``, is none of its places.
        planned = nil
    }

    // MARK: - Learning

    /// Takes a beacon's word for where a device is: worth a dial at once, unless one is under way. Whoever else was
    /// said to be there, the newest word counts, but for one of a lower standing where the place is dialed anyway. A
    /// connected device's place is only remembered.
    public mutating func hint(
        _ device: DeviceID, at address: String, standing: PlaceStanding = .unknown, now: Instant
    ) {
        guard device != own, LocalAddress(address) != nil else { return }
        learn(address, of: device, standing: standing, from: .host(at: address), at: now)
        guard var place = places[address], place.phase == .idle, !connected.contains(device) else { return }
        if place.hintSource != nil, place.device == device || standing >= place.standing || !isDialed(place) {
            place.take(device, standing)
        }
        if !place.wasGivenUp {
            // A flood of beacons must not become a flood of dials.
            place.next = min(place.next, now + (place.failures == 0 ? .zero : Self.minimumBackoff))
            place.failures = 0
        }
        store(place)
    }

    /// Takes a connected device's word for where it listens itself, on the host that it is connected from.
    public mutating func learn(
        _ address: String, of device: DeviceID, standing: PlaceStanding = .unknown, at now: Instant
    ) {
        guard device != own else { return }
        learn(address, of: device, standing: standing, from: .host(at: address), at: now)
    }

    /// Takes a peer's word for where a device is, if that is an address of a local network. Where somebody else is said
    /// to be, the word that is worth more counts; and of those who are known, who is looked for, not who is connected
    /// or must not be dialed.
    ///
    /// - Parameter isOnThisHost: whether the peer runs on this host, whose own addresses mean something to them only
    ///   then.
    public mutating func learn(
        _ address: String, of device: DeviceID, standing: PlaceStanding = .unknown, from hintSource: DeviceID,
        isOnThisHost: Bool, at now: Instant
    ) {
        guard device != own, LocalAddress.mayBeDialed(address, onWordOfThisHost: isOnThisHost) else { return }
        learn(address, of: device, standing: standing, from: .device(hintSource), at: now)
    }

    /// Takes the word of a connected device for a better place to meet it: once it is not connected any more, it is
    /// dialed there first.
    ///
    /// - Returns: whether it will be: not where that was tried in vain lately, or a connection leads.
    public mutating func prefer(_ address: String, of device: DeviceID, at now: Instant) -> Bool {
        learn(address, of: device, standing: .familiar, from: .device(device), at: now)
        guard var place = places[address], place.phase == .idle, place.hintSource != nil,
            place.trialFailedAt.map({ now - $0 >= Self.trialInterval }) ?? true
        else { return false }
        place.former = (place.device, place.standing)
        (place.device, place.standing, place.next, place.failures) = (device, .told, now, 0)
        store(place)
        return true
    }

    /// Keeps dialing a place where a device is, as if the user had named it at the start.
    public mutating func keep(_ address: String, of device: DeviceID, at now: Instant) {
        guard device != own else { return }
        // The user's own word counts more than what a beacon or a peer said of the place.
        if places[address] == nil {
            insert(address, of: device, hintSource: nil, at: now)
        } else if var place = places[address], place.device != nil {
            place.hintSource = nil
            place.device = device
            store(place)
        }
    }

    /// Keeps dialing these places instead of those that were named before without saying who is there.
    public mutating func name(_ addresses: [String], at now: Instant) {
        let named = Set(addresses)
        let dropped = places.values.filter { $0.hintSource == nil && $0.device == nil && !named.contains($0.address) }
        for place in dropped { remove(place.address) }
        for address in addresses {
            if var place = places[address] {
                // The user's own word counts more than what a beacon or a peer said of the place.
                place.hintSource = nil
                place.device = nil
                store(place)
            } else {
                insert(address, of: nil, hintSource: nil, at: now)
            }
        }
    }

    private mutating func learn(
        _ address: String, of device: DeviceID, standing: PlaceStanding, from hintSource: HintSource, at now: Instant
    ) {
        if var place = places[address] {
            guard place.hintSource != nil, place.phase == .idle, place.device != device, !connected.contains(device),
                standing > place.standing || standing >= min(place.standing, .familiar) && !isDialed(place)
            else { return }
            place.take(device, standing)
            return store(place)
        }
        if placesOfSource[hintSource]?.count ?? 0 >= Self.maximumHintsPerSource {
            guard forget(oneOf: [hintSource]) else { return }
        } else if hintCount >= Self.maximumHints {
            // Whoever told of most is asked first to make room.
            let most = placesOfSource.values.lazy.map(\.count).max()
            let crowded = placesOfSource.filter { $0.value.count == most }.keys
            guard forget(oneOf: crowded) || forget(oneOf: placesOfSource.keys) else { return }
        }
        insert(address, of: device, standing: standing, hintSource: hintSource, at: now)
    }

    /// Whether a place waits for nothing but its time.
    private func isDialed(_ place: Entry) -> Bool {
        waiting.contains(place.address) && opening(of: place, isAlone: true) == place.next
    }

    /// Whether a place is dialed for its device: not while that is connected, or rests.
    private func isLookedFor(_ place: Entry) -> Bool {
        waiting.contains(place.address) && place.device.map { resting[$0] == nil } ?? true
    }

    /// Smaller for a place that makes room earlier: those of strangers, then those that are not looked for, then those
    /// where nobody was met, then those of the device that has most places; of these the lowest standing, then the one
    /// that failed most often, then the one that was learned first.
    private func worth(of place: Entry) -> (Int, Int, Int, PlaceStanding, Int, Int) {
        let isSafe = (isLookedFor(place) ? 2 : 0) + (place.isProven ? 1 : 0)
        let count = place.device.flatMap { placesOfDevice[$0]?.count } ?? 0
        return (place.standing == .unknown ? 0 : 1, isSafe, -count, place.standing, -place.failures, place.order)
    }

    /// Forgets one place, to make room. A place is kept where a familiar device was met that is not connected now: it
    /// is dialed there. The place of a connected device is learned again when its connection ends.
    ///
    /// - Returns: whether there was one.
    private mutating func forget(oneOf sources: some Collection<HintSource>) -> Bool {
        var worst: Entry?
        for source in sources {
            for address in placesOfSource[source] ?? [] {
                guard let place = places[address], place.phase == .idle,
                    !place.isProven || place.standing == .unknown || !isLookedFor(place),
                    worst.map({ worth(of: place) < worth(of: $0) }) ?? true
                else { continue }
                worst = place
            }
        }
        guard let worst else { return false }
        remove(worst.address)
        return true
    }

    private mutating func insert(
        _ address: String, of device: DeviceID?, standing: PlaceStanding = .unknown, hintSource: HintSource?,
        at now: Instant
    ) {
        guard places[address] == nil else { return }
        order += 1
        store(
            Entry(
                address: address, device: device, hintSource: hintSource, standing: standing, next: now, order: order))
    }

    /// Takes note that a device was given up, for something may be in between where it was met last, or that it was met
    /// elsewhere since.
    public mutating func doubt(_ device: DeviceID) {
        for address in placesOfDevice[device] ?? [] {
            guard var place = places[address], place.standing == .met else { continue }
            place.standing = .familiar
            store(place)
        }
    }

    // MARK: - Resting

    /// Dials a device no more, except where the user named a place of it.
    ///
    /// - Parameter end: when it is dialed again; nil for not before ``wake(_:at:)``.
    public mutating func rest(_ device: DeviceID, until end: Instant?) {
        if resting[device] == nil, resting.count >= Self.maximumResting,
            let first = resting.min(by: { $0.value.order < $1.value.order })
        {
            wake(first.key, at: nil)
        }
        order += 1
        resting[device] = Rest(end: end, order: order)
        refresh(placesOf: device)
    }

    /// Dials a device again that rested.
    ///
    /// - Parameters:
    ///   - now: the time, where it is to be dialed at once and not when its places are due.
    ///   - latest: where it was heard last: the first place to dial. At others it may have been before, and a dial of a
    ///     host that is gone takes seconds.
    public mutating func wake(_ device: DeviceID, at now: Instant?, latest: String? = nil) {
        guard resting.removeValue(forKey: device) != nil else { return }
        let isLatestKnown = latest.map { placesOfDevice[device]?.contains($0) == true } ?? false
        for address in placesOfDevice[device] ?? [] {
            guard let now, var place = places[address], place.phase == .idle else {
                refresh(address)
                continue
            }
            place.failures = 0
            place.next = !isLatestKnown || address == latest ? now : now + Self.minimumBackoff
            store(place)
        }
    }

    /// Whether a device is not dialed for the time being. A rest that is over holds nobody back, although it is noted
    /// until the device is met.
    public func isResting(_ device: DeviceID, at now: Instant) -> Bool {
        guard let rest = resting[device] else { return false }
        return rest.end.map { now < $0 } ?? true
    }

    /// Whether the user named a place.
    public func isNamed(_ address: String) -> Bool { places[address].map { $0.hintSource == nil } ?? false }

    private mutating func refresh(placesOf device: DeviceID) {
        for address in placesOfDevice[device] ?? [] { refresh(address) }
    }

    /// When a place may be dialed, at the earliest; nil for not before something happens.
    ///
    /// - Parameter isAlone: whether other dials of the device make no difference.
    private func opening(of place: Entry, isAlone: Bool = false) -> Instant? {
        if let other = place.other, connected.contains(other.device) { return max(place.next, other.lookAgain) }
        guard let device = place.device else { return place.next }
        var moment = max(place.next, bans[device] ?? place.next)
        for dialed in (isAlone ? [] : dialing[device] ?? []).lazy.compactMap({ places[$0]?.dialedAt }) {
            moment = max(moment, dialed + Self.staggering)
        }
        guard place.hintSource != nil, let rest = resting[device] else { return moment }
        return rest.end.map { max($0, moment) }
    }

    // MARK: - Keeping track

    /// Takes over what became of a place.
    private mutating func store(_ place: Entry) {
        count(places[place.address], isThere: false)
        places[place.address] = place
        count(place, isThere: true)
        refresh(place.address)
    }

    private mutating func remove(_ address: String) {
        count(places.removeValue(forKey: address), isThere: false)
        refresh(address)
    }

    /// Counts a place in, or out.
    private mutating func count(_ place: Entry?, isThere: Bool) {
        planned = nil
        guard let place else { return }
        if let source = place.hintSource {
            placesOfSource.change(source, place.address, isThere: isThere)
            hintCount += isThere ? 1 : -1
        }
        if place.phase == .dialing {
            underWay[place.standing, default: DialsUnderWay()].add(isThere ? 1 : -1, of: place.hintSource)
        }
        guard let device = place.device else { return }
        placesOfDevice.change(device, place.address, isThere: isThere)
        if place.phase == .dialing { dialing.change(device, place.address, isThere: isThere) }
    }

    /// Finds out whether a place may be dialed when its time comes.
    private mutating func refresh(_ address: String) {
        if let place = places[address], place.phase == .idle, place.device.map({ !connected.contains($0) }) ?? true,
            opening(of: place) != nil
        {
            waiting.insert(address)
        } else {
            waiting.remove(address)
        }
        planned = nil
    }

    // MARK: - Dialing

    /// Whether one more place of this kind may be dialed: always where the user named it.
    private func hasRoom(for place: Entry) -> Bool {
        underWay[place.standing, default: DialsUnderWay()].hasRoom(for: place.hintSource)
    }

    /// The places to dial now; each is then under way until ``ended(_:_:at:using:)``.
    ///
    /// - Complexity: O(places where nobody is who is connected).
    public mutating func dials(at now: Instant) -> [DialTarget] {
        var due: [DialTarget] = []
        let candidates = waiting.compactMap { places[$0] }.filter { place in
            hasRoom(for: place) && opening(of: place).map { $0 <= now } ?? false
        }
        // A device that is to be dialed at one place is not dialed at another in the same moment.
        let chosen = Dictionary(grouping: candidates, by: \.device).flatMap { device, places in
            device.map { [choice(of: places, for: $0)].compactMap(\.self) } ?? places
        }
        for place in chosen.sorted(by: { ($0.rank, $0.next, $0.address) < ($1.rank, $1.next, $1.address) }) {
            guard waiting.contains(place.address), hasRoom(for: place) else { continue }
            var place = place
            (place.phase, place.dialedAt) = (.dialing, now)
            store(place)
            due.append(DialTarget(address: place.address, device: place.hintSource == nil ? place.device : nil))
        }
        return due
    }

    /// The place to dial of those of a device that are due: of the highest standing, in turn the one that was learned
    /// first, which fewest can have made up, and the one that was not dialed for longest. So neither those who named
    /// places before its true one nor those who name ever more after it keep it from being dialed.
    private func choice(of due: [Entry], for device: DeviceID) -> Entry? {
        guard let first = due.min(by: { ($0.rank, $0.order) < ($1.rank, $1.order) }) else { return nil }
        let all = (placesOfDevice[device] ?? []).compactMap { places[$0] }
        guard let last = all.filter({ $0.dialedAt != nil }).max(by: { $0.wasDialedBefore($1) }),
            last.order <= first.order
        else { return first }
        return due.filter { $0.rank == first.rank }.min { $0.wasDialedBefore($1) }
    }

    /// Notes that somebody proved who they are at a place that was dialed: whatever was said of it, that is known now.
    ///
    /// - Parameter isFamiliar: whether the user has to do with the device.
    public mutating func reached(_ target: DialTarget, _ device: DeviceID, isFamiliar: Bool = false) {
        guard var place = places[target.address] else { return }
        place.phase = .connected
        place.isProven = true
        if place.hintSource != nil {
            place.device = device
            place.standing = isFamiliar ? .met : .unknown
            // From now on it counts for the host, and no longer for the peer who named it, if the host has room.
            let host = HintSource.host(at: target.address)
            if placesOfSource[host]?.count ?? 0 < Self.maximumHintsPerSource { place.hintSource = host }
        }
        store(place)
    }

    /// Notes how a dial, or the connection it became, has ended.
    public mutating func ended(
        _ target: DialTarget, _ outcome: DialOutcome, at now: Instant, using random: inout some RandomNumberGenerator
    ) {
        guard var place = places[target.address] else { return }
        if place.standing == .told, case .failed = outcome { place.trialFailedAt = now }
        let failures = place.failures
        (place.phase, place.failures, place.lastError, place.other) = (.idle, 0, nil, nil)
        place.endTrial()
        switch outcome {
        // Whoever is met and gone at once is not dialed again and again at the speed of the network.
        case .met:
            if let dialedAt = place.dialedAt, now - dialedAt < Self.shortMeeting { place.failures = failures + 1 }
        case .failed(let reason):
            (place.failures, place.lastError, place.isProven) = (failures + 1, reason, false)
            guard place.hintSource == nil || failures < Self.maximumFailures else { return remove(target.address) }
        case .givenUp:
            (place.failures, place.lastError, place.isProven) = (1, Self.givenUp, false)
        // A relay there may have passed the handshake on to this node: a place that the user named is tried again.
        case .ourselves where place.hintSource == nil:
            (place.failures, place.lastError, place.isProven) = (failures + 1, "self_connection", false)
        case .ourselves: return remove(target.address)
        case .metElsewhere(let device) where place.hintSource != nil: place.device = device
        case .metElsewhere(let device):
            // The user's word is kept to: somebody else may be there tomorrow.
            if place.device == nil { place.other = Other(device: device, lookAgain: now + Self.maximumBackoff) }
        }
        let backoff = Backoff(from: Self.minimumBackoff, to: Self.maximumBackoff).rest(after: place.failures + 1)
        let pause = place.wasGivenUp ? Self.pauseAfterGivingUp : backoff
        place.next = now + pause * Double.random(in: 0.75...1.25, using: &random)
        store(place)
    }

    /// When the next dial may be due: never while ``dials(at:)`` would find nothing.
    ///
    /// - Complexity: O(places where nobody is who is connected) after something happened to a place, else O(1).
    public mutating func next() -> Instant? {
        if let planned { return planned }
        var next: Instant?
        for address in waiting {
            guard let place = places[address], hasRoom(for: place), let moment = opening(of: place) else { continue }
            next = min(next ?? moment, moment)
        }
        planned = .some(next)
        return next
    }

    /// How many hints of one standing are being dialed.
    private struct DialsUnderWay: Sendable {
        private var count = 0
        private var ofHintSource: [HintSource: Int] = [:]

        /// Whether one more may be: always where the user named it.
        func hasRoom(for hintSource: HintSource?) -> Bool {
            guard let hintSource else { return true }
            return count < PeerDirectory.maximumDials
                && ofHintSource[hintSource, default: 0] < PeerDirectory.maximumDialsPerSource
        }

        mutating func add(_ number: Int, of hintSource: HintSource?) {
            guard let hintSource else { return }
            count += number
            let ofThis = ofHintSource[hintSource, default: 0] + number
            ofHintSource[hintSource] = ofThis == 0 ? nil : ofThis
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
        planned = nil
    }

    /// Whether a device is refused now.
    public func isBanned(_ device: DeviceID, at now: Instant) -> Bool {
        bans[device].map { now < $0 } ?? false
    }
}

extension Dictionary where Value == Set<String> {
    /// Puts an element into the set of a key, or takes it out; an empty set is none.
    fileprivate mutating func change(_ key: Key, _ element: String, isThere: Bool) {
        if isThere {
            self[key, default: []].insert(element)
        } else {
            self[key]?.remove(element)
            if self[key]?.isEmpty == true { self[key] = nil }
        }
    }
}
