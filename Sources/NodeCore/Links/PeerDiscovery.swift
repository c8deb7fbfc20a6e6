import OperationLog
import Replication
import Storage
import Time

/// Finds peers: says where this node is, learns where others are, and decides whom to dial when.
struct PeerDiscovery {
    /// What happens.
    enum Event {
        /// The node listens, and looks for peers if it sends beacons.
        case started(port: UInt16, discovers: Bool)
        /// Time passed.
        case tick
        /// A datagram came to the port of beacons.
        case heard([UInt8], from: Endpoint)
        /// The host has other networks now: everybody there should hear of this node.
        case networksChanged
        /// A peer said where others are.
        case told([PeerAddress], by: PeerHandle)
        /// A peer shares a conversation with this user.
        case shared(PeerHandle)
        /// A peer has said who it is, and on which port it listens; 0 for none.
        case introduced(PeerHandle, port: UInt16)
        /// Somebody who dialed this node has proven who they are, whichever connection of the two stays.
        case accepted
        /// A device has proven who it is.
        case connected(DeviceID)
        /// A device is not connected any more; perhaps because this node has given it up.
        case lost(DeviceID, isStranger: Bool, isGivenUp: Bool = false)
        /// A dial came to nothing, or its connection is over.
        case dialEnded(DialTarget, DialOutcome)
        /// The user named a place where a device is.
        case named(String, DeviceID)
        /// The user named the places to keep dialing, and no others.
        case staticPeersChanged([String])
        /// The user waits for somebody at a place that was named.
        case awaited
        /// A device lied.
        case banned(DeviceID)
        /// A device answered at a place.
        case reached(DialTarget, DeviceID)
        /// A device was told goodbye, because this user and its user share nothing.
        case parted(DeviceID)
        /// Nothing more is known of a device with which the node has parted.
        case forgotten(DeviceID)
        /// The user has something to do with the users of devices with which the node has parted: by what they do
        /// themselves, or by what others wrote, of which these devices hear as well.
        case wanted([DeviceID], byUser: Bool)
        /// Anybody with whom the node has parted may be somebody for whom the user waits.
        case everybodyWanted
    }

    /// The latest beacon of a device.
    private struct HeardBeacon {
        /// Tells one start of the node from another.
        let instance: UInt64
        /// Where it can be dialed, if the beacon is right.
        let address: String
        let at: Instant
    }

    /// When a node comes again to those with whom it has parted and who cannot find it.
    static let comingAgain: Duration = .seconds(300)
    /// Over how long dials are spread out where many hear at one moment that they have something to do with each other,
    /// for each of them.
    private static let spread: Duration = .milliseconds(250)

    /// Places, and when to dial them.
    private var directory: PeerDirectory
    /// When to say where this node is.
    private var schedule: BeaconSchedule
    /// Which beacons are looked at.
    private var filter = BeaconFilter()
    /// The latest beacon of each device.
    private var heard: [DeviceID: HeardBeacon] = [:]
    /// When this node last heard a beacon of its own.
    private(set) var ownBeaconHeard: Instant?
    /// Where devices that the user has to do with were met last. It is stored: nobody's beacons keep them from meeting
    /// again after a start.
    private var lastMet: [DeviceID: String] = [:]
    /// Where connected devices say that they were reached, or can be.
    private var toldPlaces: [DeviceID: [String]] = [:]
    /// The port that peers can dial.
    private(set) var port: UInt16 = 0
    /// Who is told where others are.
    private var sharing = AddressSharing()
    /// Whether somebody could dial this node, since it has the networks that it has.
    private var wasDialed = false
    private var requests: [MachineRequest] = []

    /// Begins with the places that the user typed.
    ///
    /// - Parameters:
    ///   - staticPeers: places to keep dialing, `host:port` each.
    ///   - instance: tells this start of the node from others.
    init(own device: DeviceID, staticPeers: [String], instance: UInt64) {
        directory = PeerDirectory(own: device, staticPeers: staticPeers)
        schedule = BeaconSchedule(instance: instance)
    }

    /// When there is something to do.
    ///
    /// - Complexity: O(places where nobody is who is connected) after something happened to a place, else O(1). A node
    ///   asks after everything that it does.
    mutating func nextDeadline() -> Instant? {
        [directory.next(), schedule.next, sharing.next].compactMap { $0 }.min()
    }

    /// What is known of where others are and why they are not reached, for whoever looks for a fault.
    func reachability(at now: Instant) -> Reachability {
        Reachability(
            places: directory.unreached(at: now),
            beacons: heard.mapValues { .init(address: $0.address, age: now - $0.at) },
            ownBeaconAge: ownBeaconHeard.map { now - $0 },
            bans: directory.bans.filter { now < $0.value }.mapValues { $0 - now })
    }

    /// What is known of how this node and a device meet, for the device itself.
    ///
    /// - Complexity: O(places).
    func meeting(with device: DeviceID, at now: Instant) -> Meeting {
        Meeting(
            sendsBeacons: schedule.next != nil, ownBeaconAge: ownBeaconHeard.map { now - $0 },
            beacon: heard[device].map { .init(address: $0.address, age: now - $0.at) },
            failedDials: directory.failedDials(of: device))
    }

    /// Whether the user named a place.
    func isNamed(_ address: String) -> Bool { directory.isNamed(address) }

    /// Whether the node has parted with any device and was not connected with it since.
    var isAnybodyResting: Bool { !directory.resting.isEmpty }

    /// Whether the node has parted with a device and was not connected with it since.
    func isResting(_ device: DeviceID) -> Bool { directory.resting[device] != nil }

    /// Whether a device is not listened to for a while.
    func isBanned(_ device: DeviceID, at now: Instant) -> Bool { directory.isBanned(device, at: now) }

    /// Takes in what happened, and returns what is to be done about it, in order.
    ///
    /// - Parameter random: spreads beacons and dials, so that nodes that start together do not go on together.
    mutating func handle(
        _ event: Event, in context: NodeContext, using random: inout some RandomNumberGenerator
    ) -> [MachineRequest] {
        let now = context.now
        switch event {
        case .started(let port, let discovers):
            self.port = port
            sharing.begin(at: now)
            recall(in: context)
            if discovers { schedule.begin(at: now) }
        case .tick:
            if schedule.isDue(at: now, using: &random) { ask(.announce(beacon(in: context))) }
            for (device, messages) in sharing.tell(at: now) { tell(messages, to: device, in: context) }
            if let next = directory.next(), next <= now { dial(in: context) }
        case .heard(let bytes, let sender): hear(bytes, from: sender, in: context)
        case .networksChanged:
            wasDialed = false
            schedule.begin(at: now)
            requests.append(.wake)
        case .told(let addresses, let peer): learn(addresses, from: peer, in: context)
        case .shared(let peer):
            noteMet(on: peer, in: context)
            leave(peer, in: context)
        case .introduced(let peer, let port): introduce(peer, port: port, in: context)
        case .accepted: wasDialed = true
        case .connected(let device): directory.note(device, isConnected: true)
        case .lost(let device, let isStranger, let isGivenUp):
            lose(device, isStranger: isStranger, isGivenUp: isGivenUp, in: context)
        case .dialEnded(let target, let outcome):
            directory.ended(target, outcome, at: now, using: &random)
            requests.append(.wake)
        case .named(let address, let device): directory.keep(address, of: device, at: now)
        case .staticPeersChanged(let addresses):
            directory.name(addresses, at: now)
            dial(in: context)
            requests.append(.wake)
        case .awaited: dial(in: context)
        case .banned(let device):
            directory.ban(device, at: now)
            sharing.forget(device)
        case .reached(let target, let device): reach(device, at: target, in: context)
        case .parted(let device): part(from: device, at: now, using: &random)
        case .forgotten(let device):
            if directory.isResting(device, at: now) { directory.rest(device, until: now + Self.comingAgain) }
        case .wanted(let devices, let isByUser):
            for device in devices {
                let pause =
                    isByUser ? .zero : pause(before: device, amongst: devices.count, in: context, using: &random)
                wake(device, at: now + pause, in: context)
            }
            dial(in: context)
            requests.append(.wake)
        case .everybodyWanted:
            for device in directory.resting.keys.sorted() { wake(device, at: now, in: context) }
            dial(in: context)
        }
        defer { requests = [] }
        return requests
    }

    private mutating func lose(_ device: DeviceID, isStranger: Bool, isGivenUp: Bool, in context: NodeContext) {
        if isGivenUp { setLastMet(nil, of: device, in: context) }
        toldPlaces[device] = nil
        sharing.lose(device, isStranger: isStranger, now: context.now)
        directory.note(device, isConnected: false)
        // Somebody else may have said meanwhile that they are there, or have taken the room of the place.
        if let address = lastMet[device] { learn(address, of: device, at: context.now, in: context) }
    }

    /// Dials a device no more with which the node has parted.
    ///
    /// Where the device cannot find this node when its user wants something, this node comes again: it was dialed by
    /// nobody, so perhaps it cannot be; or it hears no beacons of the device, and would not learn that it is still
    /// there.
    private mutating func part(
        from device: DeviceID, at now: Instant, using random: inout some RandomNumberGenerator
    ) {
        let isFindable = wasDialed && heard[device] != nil
        let pause = Self.comingAgain * Double.random(in: 0.8...1.2, using: &random)
        directory.rest(device, until: isFindable ? nil : now + pause)
        requests.append(.wake)
    }

    /// Dials a device again with which the node has parted, where it was heard last.
    private mutating func wake(_ device: DeviceID, at now: Instant, in context: NodeContext) {
        let latest = heard[device]?.address
        directory.wake(device, at: now, latest: latest)
        // Others may have taken the room of the place meanwhile.
        if let latest { learn(latest, of: device, at: now, in: context) }
    }

    /// Takes in where a device was met or heard.
    private mutating func learn(_ address: String, of device: DeviceID, at now: Instant, in context: NodeContext) {
        directory.learn(address, of: device, standing: standing(of: device, at: address, in: context), at: now)
    }

    /// How long to wait before a dial for which so many have a reason at the same moment: first everybody hears what
    /// they all are about to hear. Of two devices the one with the smaller id dials first, because of two connections
    /// its own would stay.
    private func pause(
        before device: DeviceID, amongst count: Int, in context: NodeContext,
        using random: inout some RandomNumberGenerator
    ) -> Duration {
        let turn = Double.random(in: 0.2..<1.2, using: &random) + (context.device.id < device ? 0 : 1)
        return Self.spread * (turn * Double(count))
    }

    private mutating func ask(_ effect: Effect) { requests.append(.effect(effect)) }

    private func beacon(in context: NodeContext) -> [UInt8] {
        Beacon(device: context.device.id, instance: schedule.instance, port: port).encoded
    }

    /// Dials what is due.
    private mutating func dial(in context: NodeContext) {
        for target in directory.dials(at: context.now) { ask(.dial(target)) }
    }

    /// What is known of a device at a place.
    private func standing(of device: DeviceID, at address: String, in context: NodeContext) -> PlaceStanding {
        guard context.isFamiliar(device) else { return .unknown }
        return lastMet[device] == address ? .met : .familiar
    }

    /// Takes note of who was met at a place that was dialed.
    private mutating func reach(_ device: DeviceID, at target: DialTarget, in context: NodeContext) {
        noteMet(device, at: target.address, in: context)
        directory.reached(target, device, isFamiliar: context.isFamiliar(device))
    }

    /// Notes where the device on a connection was met: where it was dialed, or else listens.
    private mutating func noteMet(on peer: PeerHandle, in context: NodeContext) {
        guard let link = context.links[peer], let device = link.identity?.device.id else { return }
        if let target = link.target {
            noteMet(device, at: target.address, in: context)
        } else if link.listeningPort > 0 {
            noteMet(device, at: link.endpoint.with(port: link.listeningPort).description, in: context)
        }
    }

    /// Notes where a device was met, if the user has to do with it.
    private mutating func noteMet(_ device: DeviceID, at address: String, in context: NodeContext) {
        guard context.isFamiliar(device), lastMet[device] != address else { return }
        if lastMet[device] == nil, lastMet.count >= PeerDirectory.maximumHints { lastMet = [:] }
        setLastMet(address, of: device, in: context)
    }

    private mutating func setLastMet(_ address: String?, of device: DeviceID, in context: NodeContext) {
        lastMet[device] = address
        directory.doubt(device)
        do throws(StoreError) {
            try context.storage.note(meetingPlace: address, of: device)
        } catch {
            requests.append(.storageFailed(error))
        }
    }

    /// Learns where devices were met before this start, and forgets those with which the user has nothing to do any
    /// more.
    private mutating func recall(in context: NodeContext) {
        do throws(StoreError) {
            for (device, address) in try context.storage.meetingPlaces().sorted(by: { $0.key < $1.key }) {
                guard context.isFamiliar(device), lastMet.count < PeerDirectory.maximumHints else {
                    try context.storage.note(meetingPlace: nil, of: device)
                    continue
                }
                lastMet[device] = address
                learn(address, of: device, at: context.now, in: context)
            }
        } catch {
            requests.append(.storageFailed(error))
        }
    }

    /// Takes in a beacon. Anything may arrive at a well-known port: what is no beacon is not worth a line.
    private mutating func hear(_ bytes: [UInt8], from sender: Endpoint, in context: NodeContext) {
        guard let beacon = try? Beacon(decoding: bytes) else { return }
        guard beacon.device != context.device.id else {
            ownBeaconHeard = context.now
            return
        }
        let address = sender.with(port: beacon.port).description
        let standing = standing(of: beacon.device, at: address, in: context)
        guard filter.admits(sender.host, naming: beacon.device, standing: standing, at: context.now) else { return }
        let isNew = heard[beacon.device]?.instance != beacon.instance
        if isNew {
            // A device that is answered twice hears nothing new.
            if heard.count >= PeerDirectory.maximumHints { heard = [:] }
            ask(.answer(self.beacon(in: context), to: sender))
        }
        heard[beacon.device] = HeardBeacon(instance: beacon.instance, address: address, at: context.now)
        // Of a connected device, too: it may have been met at a relay.
        directory.hint(beacon.device, at: address, standing: standing, now: context.now)
        guard !context.isConnected(beacon.device) else { return }
        if directory.isResting(beacon.device, at: context.now) {
            if isNew {
                // A device that was started again knows nobody.
                wake(beacon.device, at: context.now, in: context)
            } else {
                // It is still there, and that is all. Where it is counts once somebody wants it.
                requests.append(.sighted(beacon.device))
            }
        }
        dial(in: context)
        requests.append(.wake)
    }

    /// Takes in where a peer says that others are.
    private mutating func learn(_ addresses: [PeerAddress], from peer: PeerHandle, in context: NodeContext) {
        guard let link = context.links[peer], let hintSource = link.identity?.device.id else { return }
        let own = addresses.filter { $0.device == hintSource }.prefix(PeerAddress.maximumOwn).map(\.address)
        if !own.isEmpty {
            toldPlaces[hintSource] = own
            leave(peer, in: context)
        }
        let others = addresses.filter { $0.device != hintSource }
        guard own.isEmpty || !others.isEmpty else { return }
        tell(sharing.hear(others, from: hintSource, on: peer, now: context.now), to: peer)
        let isFamiliar = context.isFamiliar(hintSource)
        for entry in others {
            // What strangers say of others is worth no more than what they say of themselves.
            let standing = isFamiliar ? standing(of: entry.device, at: entry.address, in: context) : .unknown
            directory.learn(
                entry.address, of: entry.device, standing: standing, from: hintSource,
                isOnThisHost: link.endpoint.isLoopback, at: context.now)
        }
        requests.append(.wake)
    }

    /// Ends a connection that leads elsewhere than where its device was reached, as it says itself, and dials it there.
    /// Nobody else can say so on its channel. So something is in between, which may let through little, or late.
    private mutating func leave(_ peer: PeerHandle, in context: NodeContext) {
        guard let link = context.links[peer], let target = link.target, let device = link.identity?.device.id,
            let told = toldPlaces[device], !told.contains(LocalAddress.withoutInterface(target.address)),
            !directory.isNamed(target.address), context.isFamiliar(device)
        else { return }
        for place in told {
            // What is in between may run on its host.
            let isItsHost = LocalAddress.isLoopback(LocalAddress.host(of: place)) && !link.endpoint.isLoopback
            let seen = isItsHost ? link.endpoint.host + place.dropFirst(LocalAddress.host(of: place).count) : place
            guard seen != target.address,
                LocalAddress.mayBeDialed(seen, onWordOfThisHost: link.endpoint.isLoopback),
                directory.prefer(seen, of: device, at: context.now)
            else { continue }
            return requests.append(.leave(peer))
        }
    }

    /// Learns where a peer can be dialed, and tells it to the others.
    private mutating func introduce(_ handle: PeerHandle, port: UInt16, in context: NodeContext) {
        guard let link = context.links[handle], let device = link.identity?.device.id else { return }
        let address = port > 0 ? link.endpoint.with(port: port).description : nil
        if let address {
            // Whom this node dialed was met at the place that it dialed.
            if !link.isOutgoing { noteMet(device, at: address, in: context) }
            learn(address, of: device, at: context.now, in: context)
        }
        if !link.reachedAt.isEmpty {
            let own = context.device.id
            tell([.people(.addresses(link.reachedAt.map { PeerAddress(device: own, address: $0) }))], to: handle)
        }
        let planned = sharing.next
        tell(
            sharing.meet(device, at: address, on: handle, isStranger: link.isStranger, now: context.now), to: handle)
        if sharing.next != planned { requests.append(.wake) }
    }

    private mutating func tell(_ messages: [PeerMessage], to device: DeviceID, in context: NodeContext) {
        if let handle = context.links.handle(of: device) { tell(messages, to: handle) }
    }

    private mutating func tell(_ messages: [PeerMessage], to peer: PeerHandle) {
        for message in messages { ask(.send(peer, message.encoded, .live)) }
    }
}
