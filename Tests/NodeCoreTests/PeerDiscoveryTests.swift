import Cryptography
import OperationLog
import Storage
import Testing
import Time

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// Bob's node looks for Alice's and Carol's.
@Suite("The machine for discovery")
struct PeerDiscoveryTests {
    private static let (alice, bob, carol) = (0, 1, 2)
    private static let place = Endpoint(host: "192.168.0.1", port: 47_471)
    private var discovery: PeerDiscovery
    private var random = SeededRandom(seed: 1)
    private var trio: Trio

    init() throws {
        trio = try Trio()
        discovery = PeerDiscovery(own: trio.bob.device.id, staticPeers: [], instance: 7)
        _ = handle(.started(port: 47_470, discovers: true))
    }

    private mutating func handle(
        _ event: PeerDiscovery.Event, after duration: Duration = .zero
    ) -> [MachineRequest] {
        var context = trio.bob.context
        context.moment = Trio.after(duration)
        return discovery.handle(event, in: context, using: &random)
    }

    private func beacon(of node: NodeCore, instance: UInt64 = 1, port: UInt16 = 4_000) -> [UInt8] {
        Beacon(device: node.device.id, instance: instance, port: port).encoded
    }

    private func dials(_ requests: [MachineRequest]) -> [DialTarget] {
        requests.compactMap { request in
            guard case .effect(.dial(let target)) = request else { return nil }
            return target
        }
    }

    /// What is dialed next, and when.
    private mutating func dialed(after time: Duration) throws -> (target: DialTarget, time: Duration) {
        for step in 0..<2_000 {
            let later = time + .milliseconds(50 * step)
            if let target = dials(handle(.tick, after: later)).first { return (target, later) }
        }
        throw Undialed()
    }

    private struct Undialed: Error {}

    private func answers(_ requests: [MachineRequest]) throws -> [Beacon] {
        try requests.compactMap { request in
            guard case .effect(.answer(let bytes, Self.place)) = request else { return nil }
            return try Beacon(decoding: bytes)
        }
    }

    @Test mutating func `a node that starts says where it is`() throws {
        let said = handle(.tick, after: .seconds(1)).compactMap { request -> [UInt8]? in
            guard case .effect(.announce(let bytes)) = request else { return nil }
            return bytes
        }
        let beacon = try Beacon(decoding: try #require(said.first))
        #expect(beacon.device == trio.bob.device.id && beacon.port == 47_470)
    }

    @Test mutating func `a device that is heard is dialed at the port it names, and answered once`() throws {
        let requests = handle(.heard(beacon(of: trio.alice), from: Self.place))
        #expect(dials(requests).map(\.address) == ["192.168.0.1:4000"])
        #expect(try answers(requests).map(\.device) == [trio.bob.device.id])
        let again = handle(.heard(beacon(of: trio.alice), from: Self.place), after: .seconds(5))
        #expect(try answers(again).isEmpty)
        let restarted = handle(.heard(beacon(of: trio.alice, instance: 2), from: Self.place), after: .seconds(10))
        #expect(try answers(restarted).count == 1)
    }

    @Test mutating func `what is no beacon, and the node's own, are passed over`() {
        #expect(handle(.heard([1, 2, 3], from: Self.place)).isEmpty)
        #expect(handle(.heard(beacon(of: trio.bob), from: Self.place)).isEmpty)
    }

    @Test mutating func `a beacon of a start that is known, of a device that is connected, causes nothing`() {
        _ = handle(.heard(beacon(of: trio.alice), from: Self.place))
        _ = trio.connect(Self.bob, to: Self.alice)
        #expect(handle(.heard(beacon(of: trio.alice), from: Self.place), after: .seconds(30)).isEmpty)
    }

    @Test mutating func `a device that is connected is not dialed`() {
        _ = trio.connect(Self.bob, to: Self.alice)
        #expect(dials(handle(.heard(beacon(of: trio.alice), from: Self.place))).isEmpty)
    }

    @Test mutating func `peers are told where the others are, and what they tell is dialed`() throws {
        let fromAlice = trio.connect(Self.bob, to: Self.alice)
        let fromCarol = trio.connect(Self.bob, to: Self.carol)
        _ = handle(.introduced(fromAlice, port: 4_000))
        let requests = handle(.introduced(fromCarol, port: 5_000))
        // What is news waits a moment for more.
        #expect(try requests.messages(to: fromAlice).isEmpty)
        #expect(try handle(.tick, after: .milliseconds(300)).messages(to: fromAlice).count == 1)
        let told = try requests.messages(to: fromCarol)
        guard case .people(.addresses(let addresses))? = told.last else {
            Issue.record("Carol is not told where Alice is")
            return
        }
        #expect(addresses.map(\.device) == [trio.alice.device.id])
        // Nothing new, nothing said.
        #expect(handle(.introduced(fromCarol, port: 5_000)).isEmpty)
    }

    private func places(_ requests: [MachineRequest], to peer: PeerHandle) throws -> [DeviceID]? {
        let told = try requests.messages(to: peer).compactMap { message -> [DeviceID]? in
            guard case .people(.addresses(let places)) = message else { return nil }
            return places.map(\.device)
        }
        return told.isEmpty ? nil : told.flatMap { $0 }
    }

    /// Carol's connection is lost, and comes back.
    private mutating func comeBack(_ handle: PeerHandle, port: UInt16, after pause: Duration) throws -> [MachineRequest]
    {
        _ = self.handle(.lost(trio.carol.device.id, isStranger: false), after: .seconds(120))
        return self.handle(.introduced(handle, port: port), after: .seconds(120) + pause)
    }

    @Test mutating func `who comes back soon at the same place is told nothing, and nobody is told of them`() throws {
        let fromAlice = trio.connect(Self.bob, to: Self.alice)
        let fromCarol = trio.connect(Self.bob, to: Self.carol)
        _ = handle(.introduced(fromAlice, port: 4_000))
        _ = handle(.introduced(fromCarol, port: 5_000))
        _ = handle(.tick, after: .seconds(1))
        #expect(try places(comeBack(fromCarol, port: 5_000, after: .seconds(29)), to: fromCarol) == nil)
        #expect(try places(handle(.tick, after: .seconds(150)), to: fromAlice) == nil)
        // At another place they are news, after a longer time they and everybody else.
        #expect(try places(comeBack(fromCarol, port: 5_001, after: .seconds(29)), to: fromCarol) == nil)
        #expect(try places(handle(.tick, after: .seconds(150)), to: fromAlice) == [trio.carol.device.id])
        let later = try comeBack(fromCarol, port: 5_001, after: .seconds(31))
        #expect(try places(later, to: fromCarol) == [trio.alice.device.id])
        #expect(try places(handle(.tick, after: .seconds(152)), to: fromAlice) == [trio.carol.device.id])
    }

    @Test mutating func `who comes back soon is told what was news meanwhile`() throws {
        let fromAlice = trio.connect(Self.bob, to: Self.alice)
        let fromCarol = trio.connect(Self.bob, to: Self.carol)
        _ = handle(.introduced(fromCarol, port: 5_000))
        _ = handle(.lost(trio.carol.device.id, isStranger: false), after: .seconds(120))
        _ = handle(.introduced(fromAlice, port: 4_000), after: .seconds(121))
        _ = handle(.tick, after: .seconds(122))
        _ = handle(.introduced(fromCarol, port: 5_000), after: .seconds(123))
        #expect(try places(handle(.tick, after: .seconds(124)), to: fromCarol) == [trio.alice.device.id])
    }

    @Test mutating func `who was started again says so, and is told of everybody once on a connection`() throws {
        let fromAlice = trio.connect(Self.bob, to: Self.alice)
        let fromCarol = trio.connect(Self.bob, to: Self.carol)
        // Bob was: he asks. Later nobody has to be asked.
        #expect(try places(handle(.introduced(fromCarol, port: 5_000)), to: fromCarol) == [])
        #expect(
            try places(handle(.introduced(fromAlice, port: 4_000), after: .seconds(61)), to: fromAlice) == [
                trio.carol.device.id
            ])
        // Now Carol is, and Bob has told her of nobody on her new connection.
        _ = handle(.lost(trio.carol.device.id, isStranger: false), after: .seconds(120))
        let again = trio.connect(Self.bob, to: Self.carol)
        _ = handle(.introduced(again, port: 5_000), after: .seconds(121))
        #expect(try places(handle(.told([], by: again), after: .seconds(121)), to: again) == [trio.alice.device.id])
        #expect(try places(handle(.told([], by: again), after: .seconds(122)), to: again) == nil)
    }

    @Test mutating func `what was told when the connection was lost may not have come, and is told again`() throws {
        let fromAlice = trio.connect(Self.bob, to: Self.alice)
        let fromCarol = trio.connect(Self.bob, to: Self.carol)
        _ = handle(.introduced(fromAlice, port: 4_000), after: .seconds(100))
        _ = handle(.introduced(fromCarol, port: 5_000), after: .seconds(100))
        _ = handle(.tick, after: .seconds(101))
        for (lost, expected) in [(104, [trio.alice.device.id]), (111, nil)] {
            _ = handle(.lost(trio.carol.device.id, isStranger: false), after: .seconds(lost))
            let requests = handle(.introduced(fromCarol, port: 5_000), after: .seconds(lost + 1))
            #expect(try places(requests, to: fromCarol) == expected)
            // It is no news for the others.
            #expect(try places(handle(.tick, after: .seconds(lost + 2)), to: fromAlice) == nil)
        }
    }

    @Test mutating func `a node that was started lately asks on each connection, for one of two may be gone`() throws {
        let fromCarol = trio.connect(Self.bob, to: Self.carol)
        #expect(try places(handle(.introduced(fromCarol, port: 5_000)), to: fromCarol) == [])
        #expect(try places(handle(.introduced(fromCarol, port: 5_000)), to: fromCarol) == nil)
        let second = trio.connect(Self.bob, to: Self.carol)
        #expect(try places(handle(.introduced(second, port: 5_000)), to: second) == [])
        // Until Carol has told of somebody.
        _ = handle(.told([PeerAddress(device: trio.alice.device.id, address: "192.0.2.1:4000")], by: second))
        let third = trio.connect(Self.bob, to: Self.carol)
        #expect(try places(handle(.introduced(third, port: 5_000)), to: third) == nil)
    }

    @Test mutating func `a stranger who comes back is told everything, and nothing is kept of them`() throws {
        let fromAlice = trio.connect(Self.bob, to: Self.alice)
        let fromCarol = trio.connect(Self.bob, to: Self.carol)
        _ = handle(.introduced(fromAlice, port: 4_000))
        _ = handle(.introduced(fromCarol, port: 5_000))
        _ = handle(.lost(trio.carol.device.id, isStranger: true), after: .seconds(120))
        let requests = handle(.introduced(fromCarol, port: 5_000), after: .seconds(121))
        #expect(try places(requests, to: fromCarol) == [trio.alice.device.id])
    }

    @Test mutating func `a dial that came to nothing is repeated, later and later`() throws {
        let heard = dials(handle(.heard(beacon(of: trio.alice), from: Self.place)))
        var (target, now) = (try #require(heard.first), Duration.zero)
        var waits: [Duration] = []
        for _ in 0..<4 {
            _ = handle(.dialEnded(target, .failed("refused")), after: now)
            let before = now
            (target, now) = try dialed(after: now)
            waits.append(now - before)
        }
        #expect(waits == waits.sorted() && waits[0] < waits[3])
    }

    @Test mutating func `a device that was parted from and forgotten is dialed again once it is heard after its rest`()
        throws
    {
        let device = trio.alice.device.id
        _ = handle(.accepted)
        let dialedFirst = dials(handle(.heard(beacon(of: trio.alice), from: Self.place)))
        let first = try #require(dialedFirst.first)
        _ = handle(.dialEnded(first, .met), after: .seconds(20))
        _ = handle(.parted(device), after: .seconds(20))
        _ = handle(.forgotten(device), after: .seconds(900))
        var now = Duration.seconds(1_200)
        for _ in 0..<13 {
            let (target, later) = try dialed(after: now)
            _ = handle(.dialEnded(target, .failed("refused")), after: later)
            now = later
        }
        // Its place is forgotten. Its node was not started again.
        let again = handle(.heard(beacon(of: trio.alice), from: Self.place), after: now + .seconds(60))
        #expect(dials(again).map(\.address) == ["192.168.0.1:4000"])
    }

    @Test mutating func `a device that rests is not dialed where it moved, until somebody wants it`() throws {
        let device = trio.alice.device.id
        _ = handle(.accepted)
        let dialedFirst = dials(handle(.heard(beacon(of: trio.alice), from: Self.place)))
        let first = try #require(dialedFirst.first)
        for number in 0..<13 {
            if number > 0 { _ = try dialed(after: .seconds(60 * number)) }
            _ = handle(.dialEnded(first, .failed("refused")), after: .seconds(60 * number))
        }
        _ = handle(.parted(device), after: .seconds(900))
        let elsewhere = Endpoint(host: "192.168.0.9", port: 47_471)
        let heard = handle(.heard(beacon(of: trio.alice), from: elsewhere), after: .seconds(960))
        #expect(dials(heard).isEmpty)
        let wanted = handle(.wanted([device], byUser: true), after: .seconds(961))
        #expect(dials(wanted).map(\.address) == ["192.168.0.9:4000"])
    }

    /// With 40 people the node has parted. When they are dialed after something was heard, of those with larger and
    /// with smaller ids.
    private mutating func dialsOfForty(byUser: Bool) -> (larger: [Duration], smaller: [Duration]) {
        let own = trio.bob.device.id
        let devices = (0..<40).map { DeviceID(digest: .hash("moot/1/test", [UInt8($0)])) }
        var places: [String: DeviceID] = [:]
        for (number, device) in devices.enumerated() {
            let place = Endpoint(host: "192.168.0.\(number + 1)", port: 47_471)
            places[place.with(port: 4_000).description] = device
            for target in dials(handle(.heard(Beacon(device: device, instance: 1, port: 4_000).encoded, from: place))) {
                _ = handle(.dialEnded(target, .met))
            }
            _ = handle(.parted(device))
        }
        var found: (larger: [Duration], smaller: [Duration]) = ([], [])
        var requests = handle(.wanted(devices, byUser: byUser), after: .seconds(10))
        for step in 0...230 {
            let passed = Duration.milliseconds(100 * step)
            for target in dials(requests) {
                guard let device = places[target.address] else { continue }
                if own < device { found.larger.append(passed) } else { found.smaller.append(passed) }
                _ = handle(.dialEnded(target, .met), after: .seconds(10) + passed)
                _ = handle(.connected(device), after: .seconds(10) + passed)
            }
            requests = handle(.tick, after: .seconds(10) + passed + .milliseconds(100))
        }
        return found
    }

    @Test mutating func `many who hear that they have something to do with each other do not all dial at once`() throws
    {
        let (larger, smaller) = dialsOfForty(byUser: false)
        #expect(larger.count + smaller.count == 40 && min(larger.count, smaller.count) > 3)
        #expect(larger.allSatisfy { (.seconds(2)...(.seconds(12))).contains($0) }, "what all hear comes first")
        #expect(smaller.allSatisfy { (.seconds(12)...(.seconds(22))).contains($0) }, "they dial first")
        let (first, last) = (try #require(larger.min()), try #require(larger.max()))
        #expect(last - first > .seconds(5))
    }

    @Test mutating func `a person with whom the user begins something is dialed at once`() {
        let (larger, smaller) = dialsOfForty(byUser: true)
        #expect(larger.count + smaller.count == 40 && min(larger.count, smaller.count) > 3)
        #expect((larger + smaller).allSatisfy { $0 <= .milliseconds(300) }, "16 at a time")
    }

    @Test mutating func `whoever lied is not listened to for a while`() {
        let device = trio.alice.device.id
        _ = handle(.banned(device))
        #expect(discovery.isBanned(device, at: Trio.moment.monotonic))
        #expect(!discovery.isBanned(device, at: Trio.after(.seconds(3_600)).monotonic))
    }

    @Test mutating func `knows why a place is not reached, and whose beacons were heard`() throws {
        let start = Trio.after(.zero).monotonic
        #expect(discovery.reachability(at: start).ownBeaconAge == nil)
        _ = handle(.heard(beacon(of: trio.bob), from: Self.place))
        let dialed = dials(handle(.heard(beacon(of: trio.alice), from: Self.place)))
        let target = try #require(dialed.first)
        _ = handle(.dialEnded(target, .failed("refused")), after: .seconds(1))
        let known = discovery.reachability(at: start + .seconds(3))
        #expect(known.ownBeaconAge == .seconds(3))
        #expect(known.beacons[trio.alice.device.id]?.age == .seconds(3) && known.beacons.count == 1)
        let place = try #require(known.places.first)
        #expect(place.address == "192.168.0.1:4000" && place.device == trio.alice.device.id)
        #expect(place.failures == 1 && place.lastError == "refused" && !place.isNamed && known.places.count == 1)
        // Whoever is met somewhere else is not missed there, nor whoever this node has parted with.
        _ = handle(.parted(trio.alice.device.id), after: .seconds(3))
        #expect(discovery.reachability(at: start + .seconds(3)).places.isEmpty)
        _ = handle(.banned(trio.carol.device.id), after: .seconds(3))
        #expect(discovery.reachability(at: start + .seconds(4)).bans[trio.carol.device.id] == .seconds(599))
    }

    /// Beacons of made-up devices, and of Alice's at ports that are not hers, from the address of her host.
    private mutating func makeNoise() {
        for number in 0..<40 as Range<UInt16> {
            let device = DeviceID(digest: .hash("moot/1/test", [UInt8(number)]))
            _ = handle(.heard(Beacon(device: device, instance: 1, port: 1_000 + number).encoded, from: Self.place))
        }
    }

    @Test mutating func `noise from a host keeps no device there from being heard and dialed that the user knows`() {
        makeNoise()
        #expect(dials(handle(.heard(beacon(of: trio.alice), from: Self.place))).isEmpty, "nobody knows her yet")
        trio.cores[Self.bob].contacts.setVerified(true, trio.alice.me)
        let heard = handle(.heard(beacon(of: trio.alice), from: Self.place))
        #expect(dials(heard).map(\.address) == ["192.168.0.1:4000"])
    }

    @Test mutating func `whoever names a device at other ports keeps nobody from hearing it where it was met`() throws {
        trio.cores[Self.bob].contacts.setVerified(true, trio.alice.me)
        let met = try #require(dials(handle(.heard(beacon(of: trio.alice), from: Self.place))).first)
        _ = handle(.reached(met, trio.alice.device.id))
        _ = handle(.dialEnded(met, .met))
        let later = Duration.seconds(60)
        makeNoise()
        for port in 1_000..<1_200 as Range<UInt16> {
            _ = handle(.heard(beacon(of: trio.alice, port: port), from: Self.place), after: later)
        }
        let answered = try answers(handle(.heard(beacon(of: trio.alice, instance: 9), from: Self.place), after: later))
        #expect(answered.count == 1, "it was heard")
    }

    @Test mutating func `where a device says that it is while it is connected it is dialed when it is lost`() throws {
        trio.cores[Self.bob].contacts.setVerified(true, trio.alice.me)
        let relay = try #require(dials(handle(.heard(beacon(of: trio.alice, port: 9), from: Self.place))).first)
        _ = handle(.reached(relay, trio.alice.device.id))
        let connection = trio.connect(Self.bob, to: Self.alice)
        _ = handle(.connected(trio.alice.device.id))
        #expect(dials(handle(.heard(beacon(of: trio.alice), from: Self.place))).isEmpty)
        trio.cores[Self.bob].handle(.ended(connection, reason: "cut"), at: Trio.after(.seconds(9)))
        _ = handle(.lost(trio.alice.device.id, isStranger: false, isGivenUp: true), after: .seconds(9))
        _ = handle(.dialEnded(relay, .givenUp), after: .seconds(9))
        #expect(dials(handle(.tick, after: .seconds(10))).map(\.address) == ["192.168.0.1:4000"], "before the other")
    }

    /// Bob is connected with Alice through a relay, of which beacons told.
    private mutating func meetAtRelay(
        _ place: Endpoint = Endpoint(host: "192.168.0.1", port: 9)
    ) throws -> (relay: DialTarget, connection: PeerHandle) {
        let heard = handle(.heard(beacon(of: trio.alice, port: place.port), from: place))
        let relay = try #require(dials(heard).first)
        let connection = trio.connect(Self.bob, to: Self.alice, dialing: relay, at: place)
        _ = handle(.connected(trio.alice.device.id))
        _ = handle(.reached(relay, trio.alice.device.id))
        _ = handle(.introduced(connection, port: 4_000))
        return (relay, connection)
    }

    /// Whether a connection is left once Alice says where she was reached.
    private mutating func isLeft(_ connection: PeerHandle, told places: [String]) -> Bool {
        let alice = trio.alice.device.id
        return leaves(connection, handle(.told(places.map { PeerAddress(device: alice, address: $0) }, by: connection)))
    }

    private func leaves(_ connection: PeerHandle, _ requests: [MachineRequest]) -> Bool {
        requests.contains { if case .leave(connection) = $0 { true } else { false } }
    }

    /// What is dialed after that, although beacons with the id of Alice's device named many more places.
    private mutating func dialedAfterLeaving(_ relay: DialTarget, _ connection: PeerHandle) -> [DialTarget] {
        for port in 10..<60 as Range<UInt16> {
            _ = handle(.heard(beacon(of: trio.alice, port: port), from: Self.place), after: .seconds(Int(port)))
        }
        trio.cores[Self.bob].handle(.ended(connection, reason: "left"), at: Trio.after(.seconds(90)))
        _ = handle(.lost(trio.alice.device.id, isStranger: false, isGivenUp: true), after: .seconds(90))
        _ = handle(.dialEnded(relay, .givenUp), after: .seconds(90))
        return dials(handle(.tick, after: .seconds(91)))
    }

    @Test(arguments: [
        (["192.168.0.77:9"], "192.168.0.77:9"), (["192.168.0.1:4000"], "192.168.0.1:4000"),
        // Something in between on Alice's host.
        (["127.0.0.1:4000"], "192.168.0.1:4000"), (["[fe80::7]:9", "10.0.0.7:9"], "10.0.0.7:9"),
    ])
    mutating func `a connection that leads elsewhere than its device was reached is left for that place, once`(
        told: [String], expected: String
    ) throws {
        trio.cores[Self.bob].contacts.setVerified(true, trio.alice.me)
        let (relay, connection) = try meetAtRelay()
        #expect(isLeft(connection, told: told))
        let dialed = dialedAfterLeaving(relay, connection)
        #expect(dialed.map(\.address) == [expected])
        // Where nobody is met there, what is there is kept.
        _ = handle(.dialEnded(try #require(dialed.first), .failed("refused")), after: .seconds(92))
        let again = trio.connect(Self.bob, to: Self.alice, dialing: relay, at: Self.place.with(port: 9))
        _ = handle(.connected(trio.alice.device.id), after: .seconds(93))
        #expect(!isLeft(again, told: told))
    }

    @Test(arguments: [
        ["192.168.0.1:9"], ["192.168.0.1:9", "10.0.0.1:9"], ["8.8.8.8:9"], ["[fe80::7]:9"], ["bob:9"], [],
    ])
    mutating func `a connection is kept that leads where its device was reached, or where that cannot be dialed`(
        told: [String]
    ) throws {
        trio.cores[Self.bob].contacts.setVerified(true, trio.alice.me)
        let (_, connection) = try meetAtRelay()
        #expect(!isLeft(connection, told: told))
    }

    /// Carol connects from Alice's host, and says that her node listens where Alice's does.
    private mutating func claimAlicesPlace() {
        trio.cores[Self.bob].contacts.setVerified(true, trio.carol.me)
        let connection = trio.connect(Self.bob, to: Self.carol, at: Self.place)
        _ = handle(.connected(trio.carol.device.id))
        _ = handle(.introduced(connection, port: 4_000))
    }

    @Test mutating func `who is wanted is dialed where they were heard, although others took the room`() throws {
        let dialed = try #require(dials(handle(.heard(beacon(of: trio.alice), from: Self.place))).first)
        _ = handle(.reached(dialed, trio.alice.device.id))
        _ = handle(.parted(trio.alice.device.id))
        _ = handle(.dialEnded(dialed, .met))
        trio.cores[Self.bob].contacts.setVerified(true, trio.carol.me)
        let connection = trio.connect(Self.bob, to: Self.carol, at: Self.place)
        _ = handle(.connected(trio.carol.device.id))
        for port in 1...100 as ClosedRange<UInt16> { _ = handle(.introduced(connection, port: port)) }
        let wanted = handle(.wanted([trio.alice.device.id], byUser: true), after: .seconds(9))
        #expect(dials(wanted).map(\.address) == [dialed.address])
    }

    @Test(arguments: [true, false])
    mutating func `a place that the user named is dialed, although somebody connected says that they are there`(
        saysWho: Bool
    ) {
        claimAlicesPlace()
        let address = "192.168.0.1:4000"
        let named = handle(saysWho ? .named(address, trio.alice.device.id) : .staticPeersChanged([address]))
        #expect(dials(named + handle(.tick)).map(\.address) == [address])
    }

    @Test(arguments: ["before", "meanwhile", "after"])
    mutating func `who is lost is dialed where they listen, although somebody connected says that they are there`(
        claimed: String
    ) {
        trio.cores[Self.bob].contacts.setVerified(true, trio.alice.me)
        if claimed == "before" { claimAlicesPlace() }
        let connection = trio.connect(Self.bob, to: Self.alice, at: Self.place)
        _ = handle(.connected(trio.alice.device.id))
        _ = handle(.introduced(connection, port: 4_000))
        if claimed == "meanwhile" { claimAlicesPlace() }
        trio.cores[Self.bob].handle(.ended(connection, reason: "cut"), at: Trio.after(.seconds(9)))
        _ = handle(.lost(trio.alice.device.id, isStranger: false), after: .seconds(9))
        if claimed == "after" { claimAlicesPlace() }
        #expect(dials(handle(.tick, after: .seconds(10))).map(\.address) == ["192.168.0.1:4000"])
    }

    @Test mutating func `an interface of this host is nothing that the other side could name`() throws {
        trio.cores[Self.bob].contacts.setVerified(true, trio.alice.me)
        let (_, connection) = try meetAtRelay(Endpoint(host: "[fe80::7%3]", port: 9))
        #expect(!isLeft(connection, told: ["[fe80::7]:9", "10.0.0.7:9"]))
    }

    @Test mutating func `a connection to a place that the user named is kept`() throws {
        trio.cores[Self.bob].contacts.setVerified(true, trio.alice.me)
        _ = handle(.named("192.168.0.1:9", trio.alice.device.id))
        let (_, connection) = try meetAtRelay()
        #expect(!isLeft(connection, told: ["192.168.0.77:9"]))
    }

    @Test mutating func `where a stranger was reached counts once something is shared`() throws {
        let (_, connection) = try meetAtRelay()
        #expect(!isLeft(connection, told: ["192.168.0.77:9"]))
        trio.cores[Self.bob].contacts.setVerified(true, trio.alice.me)
        #expect(leaves(connection, handle(.shared(connection))))
    }

    @Test mutating func `a friend is dialed after a start where they were met, though no beacon was heard`() throws {
        trio.cores[Self.bob].contacts.setVerified(true, trio.alice.me)
        let met = try #require(dials(handle(.heard(beacon(of: trio.alice), from: Self.place))).first)
        _ = handle(.reached(met, trio.alice.device.id))
        startAnew()
        #expect(dials(handle(.tick)).map(\.address) == [met.address])
    }

    @Test mutating func `a stranger is not dialed after a start, until something is shared with them`() throws {
        let target = DialTarget(address: "192.168.0.1:4000", device: nil)
        let connection = trio.connect(Self.bob, to: Self.alice, dialing: target)
        _ = handle(.introduced(connection, port: 4_000))
        startAnew()
        #expect(dials(handle(.tick)).isEmpty)
        trio.cores[Self.bob].contacts.setVerified(true, trio.alice.me)
        _ = handle(.shared(connection))
        startAnew()
        #expect(dials(handle(.tick)).count == 1)
        // With whom the user has nothing to do any more, they are not dialed, nor is it kept where they were.
        trio.cores[Self.bob].contacts.setVerified(false, trio.alice.me)
        startAnew()
        #expect(dials(handle(.tick)).isEmpty)
        #expect(try trio.bob.context.storage.meetingPlaces().isEmpty)
    }

    @Test mutating func `where a connection was given up nobody is dialed after a start`() throws {
        trio.cores[Self.bob].contacts.setVerified(true, trio.alice.me)
        let met = try #require(dials(handle(.heard(beacon(of: trio.alice), from: Self.place))).first)
        _ = handle(.reached(met, trio.alice.device.id))
        _ = handle(.lost(trio.alice.device.id, isStranger: false, isGivenUp: true))
        startAnew()
        #expect(dials(handle(.tick)).isEmpty)
    }

    /// Bob's node starts again, on the same disk.
    private mutating func startAnew() {
        discovery = PeerDiscovery(own: trio.bob.device.id, staticPeers: [], instance: 8)
        _ = handle(.started(port: 47_470, discovers: true))
    }

    @Test mutating func `who dialed is told where they reached this node`() throws {
        let places = [Endpoint(host: "[fe80::2%3]", port: 47_470), Endpoint(host: "10.0.0.2", port: 47_470)]
        let connection = trio.connect(Self.bob, to: Self.alice, reached: places)
        let own = trio.bob.device.id
        let told = try handle(.introduced(connection, port: 0)).messages(to: connection).first
        #expect(
            told
                == .people(
                    .addresses(["[fe80::2]:47470", "10.0.0.2:47470"].map { PeerAddress(device: own, address: $0) })))
    }
}
