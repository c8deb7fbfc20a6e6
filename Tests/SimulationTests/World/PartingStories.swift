import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Storage
import Testing
import Time

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// Alice's node meets Bob's, and they share nothing.
@Suite("Strangers part")
struct PartingStories {
    private let disk = VirtualDisk(replicaEpoch: Array(repeating: 1, count: 16))
    private let moment = StrangerGroupFixture.moment
    private let bob: Person
    private var random = SeededRandom(seed: 1)
    private var core: NodeCore

    init() throws {
        let keys = Person(using: &random).nodeKeys(using: &random)
        bob = Person(using: &random)
        core = try NodeCore(
            keys: keys, storage: disk, blobs: disk, names: ["Alice"], deviceName: "desk", staticPeers: [],
            random: SeededRandom(seed: 2), at: moment)
    }

    private func later(_ seconds: Int) -> Moment {
        Moment(
            monotonic: Instant(sinceStart: .seconds(seconds)),
            wall: Timestamp(clamping: moment.wall.milliseconds + Int64(seconds) * 1_000))
    }

    /// Somebody connects from a host and says hello.
    @discardableResult
    private mutating func meet(
        _ person: Person, from host: String = "10.0.0.2", at seconds: Int = 0
    ) throws -> PeerHandle {
        let handle = core.begin(to: nil, at: Endpoint(host: host, port: 1), moment: later(seconds))
        let identity = PeerIdentity(device: person.author.device, record: person.credentials.identity)
        core.handle(
            .established(identity, transcript: Array(repeating: 7, count: 64), on: handle), at: later(seconds))
        let card = try #require(person.card(name: "Bob"))
        hear(
            .people(
                .hello(
                    replicaEpoch: Array(repeating: 2, count: 16), port: 47_470,
                    Introduction(card: card, wraps: []).encoded
                )), on: handle, at: seconds)
        return handle
    }

    private mutating func hear(_ message: PeerMessage, on handle: PeerHandle, at seconds: Int) {
        core.handle(.received(ReceivedMessage(decoding: message.encoded), on: handle), at: later(seconds))
    }

    private mutating func hearBeacon(instance: UInt64, from host: String = "10.0.0.2", at seconds: Int) {
        let beacon = Beacon(device: bob.device, instance: instance, port: 47_470).encoded
        core.handle(.heard(beacon, from: Endpoint(host: host, port: 47_474)), at: later(seconds))
    }

    /// How often the node offered to part since it was asked last, and whom it dialed.
    private mutating func effects() -> (offers: Int, dials: [String], closes: Int) {
        var found: (offers: Int, dials: [String], closes: Int) = (0, [], 0)
        for effect in core.takeEffects() {
            switch effect {
            case .send(_, let bytes, _) where bytes == PeerMessage.people(.parting).encoded: found.offers += 1
            case .dial(let target): found.dials.append(target.address)
            case .close: found.closes += 1
            default: break
            }
        }
        return found
    }

    /// Bob's node is heard, connects, and the two part.
    private mutating func part() throws {
        hearBeacon(instance: 1, at: 0)
        // Of the two connections the one stays that Bob dialed.
        core.handle(.dialFailed(DialTarget(address: "10.0.0.2:47470", device: nil)), at: moment)
        let handle = try meet(bob)
        core.handle(.tick, at: later(30))
        _ = effects()
        core.handle(.ended(handle, reason: "goodbye"), at: later(30))
        core.handle(.tick, at: later(31))
        #expect(effects().dials.isEmpty)
    }

    @Test mutating func `after half a minute, which one of them offers`() throws {
        let handle = try meet(bob)
        core.handle(.tick, at: later(29))
        #expect(effects().offers == 0)
        core.handle(.tick, at: later(30))
        #expect(effects().offers == 1)
        // They are still there, and do not agree.
        hear(.presence(.ping(1)), on: handle, at: 30)
        hear(.presence(.ping(2)), on: handle, at: 329)
        core.handle(.tick, at: later(329))
        #expect(effects().offers == 0)
        core.handle(.tick, at: later(330))
        #expect(effects().offers == 1)
    }

    @Test(arguments: [NodeCore.crowd - 1, NodeCore.crowd])
    mutating func `after a second while they have most of their places`(count: Int) throws {
        for number in 1...count { try meet(Person(using: &random), from: "10.0.1.\(number)") }
        core.handle(.tick, at: later(1))
        #expect(effects().offers == (count == NodeCore.crowd ? count : 0))
    }

    @Test
    mutating func `and are known all the time while one connection after the other takes the place of the one before`()
        throws
    {
        try meet(bob)
        let identity = PeerIdentity(device: bob.author.device, record: bob.credentials.identity)
        let second = core.begin(to: nil, at: Endpoint(host: "10.0.0.2", port: 2), moment: later(1))
        core.handle(.established(identity, transcript: Array(repeating: 8, count: 64), on: second), at: later(1))
        // Bob's node takes yet another one, and says nothing on this.
        core.handle(.ended(second, reason: "goodbye"), at: later(1))
        core.handle(.tick, at: later(2))
        #expect(core.connectedDevices.isEmpty)
        #expect(core.contacts[bob.user].name == "Bob")
    }

    @Test mutating func `when the other offers it, and are still known`() throws {
        let handle = try meet(bob)
        hear(.people(.parting), on: handle, at: 1)
        #expect(effects().closes == 1)
        #expect(core.connectedDevices.isEmpty)
        core.handle(.tick, at: later(2))
        #expect(core.contacts[bob.user].name == "Bob")
        #expect(!core.contacts[bob.user].isOnline)
        #expect(try disk.profiles().map(\.card.user) == [core.me])
    }

    @Test mutating func `and whom Alice verified stays, whatever they offer`() throws {
        let handle = try meet(bob)
        try core.setVerified(true, of: bob.user, at: moment)
        hear(.people(.parting), on: handle, at: 1)
        core.handle(.tick, at: later(30))
        let effects = effects()
        #expect(effects.closes == 0)
        #expect(effects.offers == 0)
        #expect(core.connectedDevices == [bob.device])
    }

    @Test mutating func `and are dialed at once when Alice wants something of them`() throws {
        try part()
        _ = try core.openDirect(with: bob.user, at: later(60))
        #expect(effects().dials == ["10.0.0.2:47470"])
        #expect(try disk.profiles().map(\.card.user).contains(bob.user))
    }

    @Test mutating func `and are dialed then also if they are known and not remembered as nearby`() throws {
        try part()
        core.forget(nearby: bob.user)
        _ = try core.openDirect(with: bob.user, at: later(60))
        #expect(effects().dials == ["10.0.0.2:47470"])
    }

    @Test mutating func `and are dialed first where they were heard last`() throws {
        try part()
        hearBeacon(instance: 1, from: "10.0.0.9", at: 40)
        _ = try core.openDirect(with: bob.user, at: later(60))
        #expect(effects().dials == ["10.0.0.9:47470"])
        core.handle(.dialFailed(DialTarget(address: "10.0.0.9:47470", device: nil)), at: later(61))
        core.handle(.tick, at: later(61))
        #expect(effects().dials == ["10.0.0.2:47470"])
    }

    @Test mutating func `and are not dialed when Alice blocks them`() throws {
        try part()
        try core.setBlocked(true, of: bob.user, at: later(60))
        core.handle(.tick, at: later(61))
        #expect(effects().dials.isEmpty)
        #expect(core.contacts[bob.user].name == "Bob")
    }

    @Test mutating func `and are members of a group that Alice founds later`() throws {
        try part()
        let carol = Person(using: &random)
        try meet(carol, from: "10.0.0.3", at: 59)
        _ = effects()
        let group = try core.createGroup(name: "Ship", members: [bob.user, carol.user], at: later(60))
        #expect(core.replicas[group]?.group.isMember(bob.user) == true)
        #expect(effects().dials == ["10.0.0.2:47470"])
    }

    @Test mutating func `and a beacon says when they were last seen, and only that`() throws {
        try part()
        hearBeacon(instance: 1, at: 600)
        core.handle(.tick, at: later(600))
        #expect(effects().dials.isEmpty)
        let person = core.contacts[bob.user]
        #expect(person.lastSeen == later(600).wall.milliseconds)
        #expect(!person.isOnline)
        // They are remembered for a quarter of an hour from then.
        core.handle(.tick, at: later(1_499))
        #expect(core.contacts.knows(bob.user))
        core.handle(.tick, at: later(1_500))
        #expect(!core.contacts.knows(bob.user))
    }

    @Test mutating func `and a node that was started again is dialed again`() throws {
        try part()
        hearBeacon(instance: 2, at: 60)
        #expect(effects().dials == ["10.0.0.2:47470"])
    }

    @Test mutating func `and Alice comes again to those of whom she hears no beacons`() throws {
        let handle = try meet(bob)
        hear(.people(.parting), on: handle, at: 1)
        core.handle(.tick, at: later(239))
        #expect(effects().dials.isEmpty)
        core.handle(.tick, at: later(370))
        #expect(effects().dials == ["10.0.0.2:47470"])
    }

    @Test mutating func `and whom Alice forgets is met again after a while`() throws {
        try part()
        try core.forget(bob.user, at: later(60))
        core.handle(.tick, at: later(359))
        #expect(effects().dials.isEmpty)
        core.handle(.tick, at: later(361))
        #expect(effects().dials == ["10.0.0.2:47470"])
    }

    @Test mutating func `but not where Alice's node closes the connection for another reason`() throws {
        let handle = try meet(bob)
        core.handle(.tick, at: later(30))
        #expect(effects().offers == 1)
        core.close(handle)
        #expect(!core.discovery.isAnybodyResting)
    }

    @Test mutating func `and so many are remembered, of one host and in all`() throws {
        for number in 0..<60 {
            let handle = try meet(Person(using: &random), from: "10.0.0.66", at: number)
            hear(.people(.parting), on: handle, at: number)
            core.handle(.tick, at: later(number))
        }
        #expect(core.contacts.all.count == 1 + NodeCore.maximumNearbyPerHost)
        for number in 0..<400 {
            let handle = try meet(Person(using: &random), from: "10.0.1.\(number)", at: 60 + number)
            hear(.people(.parting), on: handle, at: 60 + number)
            core.handle(.tick, at: later(60 + number))
        }
        #expect(core.contacts.all.count == 1 + NodeCore.maximumNearby)
    }

    @Test func `and the simulator looks whether they do`() {
        var plan = Plan(seed: 3, nodes: 5, profile: .calm)
        plan.steps = [Step(at: 50_000, host: 0, kind: .create, conversation: 0, other: 1, value: 5)]
        plan.end = 51_000
        let outcome = World(plan).run()
        #expect(outcome.violations.isEmpty)
        #expect(outcome.tally.checks[Invariant.parting.rawValue, default: 0] > 0)
    }

    @Test func `and a group that one of them founds is everywhere as fast as ever`() {
        var plan = Plan(seed: 3, nodes: 5, profile: .calm)
        plan.steps = [Step(at: 50_000, host: 0, kind: .create, conversation: 0, other: 1, value: 5)]
        plan.end = 51_000
        let world = World(plan)
        world.run(until: 29_000_000)
        #expect(world.hosts.allSatisfy { $0.core?.connectedDevices.count == 4 })
        world.run(until: 45_000_000)
        #expect(world.hosts.allSatisfy { $0.core?.connectedDevices.isEmpty == true })
        #expect(world.hosts.allSatisfy { $0.core?.contacts.all.count == 5 })
        world.run(until: 50_100_000)
        let members = world.hosts.compactMap { $0.core?.replicas.values.first?.group.members.count }
        #expect(members == [5, 5, 5, 5, 5])
    }
}
