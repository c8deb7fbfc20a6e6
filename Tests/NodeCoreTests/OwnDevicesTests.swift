import Conversations
import Cryptography
import Membership
import OperationLog
import OperationLogFixtures
import Storage
import Testing
import Time

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// Alice has a desk and links a laptop; Bob writes with them.
@Suite("Several devices of one user")
struct OwnDevicesTests {
    private var house: Household
    private let group: ConversationID

    init() throws {
        var house = try Household()
        house.connect(Household.desk, Household.bob)
        house.run(for: .seconds(1))
        let others = [house.cores[Household.bob].me, house.cores[Household.carol].me]
        _ = house.cores[Household.desk].contacts.learn(house.cores[Household.carol].ownCredentials)
        group = try house.cores[Household.desk].createGroup(name: "Ship", members: others, at: house.moment)
        _ = try house.cores[Household.desk].send(["one", "two"], to: group, at: house.moment)
        house.run(for: .seconds(1))
        _ = try house.cores[Household.bob].send(["three"], to: group, at: house.moment)
        house.run(for: .seconds(1))
        self.house = house
    }

    @Test mutating func `a new device finds everything that was written before it came, and can answer`() throws {
        let laptop = try house.link(to: Household.desk)
        house.connect(laptop, Household.desk)
        house.run()
        #expect(try house.texts(of: group, at: laptop) == ["one", "two", "three"])
        _ = try house.cores[laptop].send(["four"], to: group, at: house.moment)
        house.run()
        for core in house.cores.indices where core != Household.carol {
            #expect(try house.texts(of: group, at: core) == ["one", "two", "three", "four"])
        }
    }

    /// Else a device that was out, and did not know it when it signed itself in again, left its user with a record that
    /// others know and they do not.
    @Test mutating func `a card that one device signs reaches another one through a common peer`() throws {
        let laptop = try house.link(to: Household.desk, withRoot: true)
        house.connect(laptop, Household.bob)
        house.run()
        try house.cores[laptop].setProfile(name: "Alicia", at: house.moment)
        house.run()
        #expect(house.cores[Household.desk].card == house.cores[laptop].card)
        #expect(house.cores[Household.desk].card.name == "Alicia")
    }

    @Test mutating func `so does one that lacks the device to which it is shown`() throws {
        let laptop = try house.link(to: Household.desk, withRoot: true)
        house.connect(laptop, Household.bob)
        house.run()
        let desk = house.cores[Household.desk].device.id
        let root = try #require(house.cores[laptop].keys.root)
        let left = house.cores[laptop].certifiedDevices.filter { $0.device.id != desk }
        try #require(left.count == 1)
        try house.cores[laptop].publish(left, signedBy: root)
        house.run()
        let shown = try #require(house.cores[Household.bob].contacts[house.cores[laptop].me].card)
        #expect(house.cores[Household.desk].contacts[house.cores[laptop].me].card.map { !shown.supersedes($0) } == true)
    }

    @Test mutating func `what others write from then on is sealed to the new device as well`() throws {
        let laptop = try house.link(to: Household.desk)
        house.run()
        house.disconnect(Household.desk)
        house.connect(laptop, Household.bob)
        house.run()
        _ = try house.cores[Household.bob].send(["later"], to: group, at: house.moment)
        house.run()
        // Nobody who is here has the keys of what was before.
        #expect(try house.texts(of: group, at: laptop) == ["later"])
        house.connect(laptop, Household.desk)
        house.run()
        #expect(try house.texts(of: group, at: laptop) == ["one", "two", "three", "later"])
    }

    @Test mutating func `a device that got a key from another one of its user seals it for nobody`() throws {
        let laptop = try house.link(to: Household.desk)
        house.connect(laptop, Household.desk)
        house.run()
        let held = house.disks[Household.bob].image.operations(of: group, lane: .content)
        let epoch = try #require(held.first { $0.header.type == .epoch }?.id)
        house.disconnect(Household.desk)
        try house.cores[Household.bob].write(in: group) { log, author, time throws(MalformedBytes) in
            try log.write(
                content: [ConversationLog.Draft(type: .complaint, epoch: epoch, body: [])], by: author, at: time)
        }
        house.connect(laptop, Household.bob)
        house.run(for: .seconds(30))
        // It would count as help for nobody, so it would be owed again and again.
        let own = house.cores[laptop].device.id
        let answers = house.disks[laptop].image.operations(of: group, lane: .content)
            .count { $0.header.type == .wrap && $0.author.id == own }
        #expect(answers == 0)
    }

    @Test mutating func `what is read on one device is read on the other`() throws {
        let laptop = try house.link(to: Household.desk)
        house.connect(laptop, Household.desk)
        house.run()
        let bob = house.cores[Household.bob].device.id
        try #require(try house.disks[laptop].readMarks(in: group)[bob] ?? 0 == 0)
        try house.cores[Household.desk].markRead(group, at: house.moment)
        house.run(for: .milliseconds(100))
        let read = try house.disks[Household.desk].readMarks(in: group)[bob]
        #expect(read ?? 0 > 0)
        #expect(try house.disks[laptop].readMarks(in: group)[bob] == read)
    }

    @Test mutating func `what was read before a device came is read there, too`() throws {
        try house.cores[Household.desk].markRead(group, at: house.moment)
        let laptop = try house.link(to: Household.desk)
        house.connect(laptop, Household.desk)
        house.run()
        let bob = house.cores[Household.bob].device.id
        #expect(
            try house.disks[laptop].readMarks(in: group)[bob] == house.disks[Household.desk].readMarks(in: group)[bob])
    }

    @Test mutating func `a group that was read on one device is the user's on the others, with its files`() throws {
        let (alice, bob) = (house.cores[Household.desk].me, house.cores[Household.bob].me)
        let laptop = try house.link(to: Household.desk)
        for (one, other) in [(laptop, Household.desk), (Household.carol, Household.bob)] { house.connect(one, other) }
        house.run()
        let crew = try house.cores[Household.bob].createGroup(
            name: "Crew", members: [alice, house.cores[Household.carol].me], at: house.moment)
        _ = try house.cores[Household.bob].send(["hello"], to: crew, at: house.moment)
        house.run()
        house.disconnect(laptop)
        try house.cores[laptop].markRead(crew, at: house.moment)
        // The desk does not hear of that before Bob, who is blocked there, has brought Alice back.
        try house.cores[Household.desk].setBlocked(true, of: bob, at: house.moment)
        try house.cores[Household.bob].remove(alice, from: crew, at: house.moment)
        try house.cores[Household.bob].add([alice], to: crew, at: house.moment)
        house.run()
        let file = try house.sendFile(by: Household.carol, to: crew)
        house.run()
        #expect(house.cores[Household.desk].state(of: file).phase == .offered)
        house.connect(laptop, Household.desk)
        house.run()
        #expect(house.cores[Household.desk].state(of: file).phase == .waiting)
    }

    /// Bob founds a group with Alice, who has a laptop, and writes there. On the laptop Alice answers.
    private mutating func foundCrew() throws -> (crew: ConversationID, laptop: Int) {
        let laptop = try house.link(to: Household.desk)
        for (one, other) in [(laptop, Household.desk), (Household.carol, Household.bob)] { house.connect(one, other) }
        house.run()
        let members = [house.cores[Household.desk].me, house.cores[Household.carol].me]
        let crew = try house.cores[Household.bob].createGroup(name: "Crew", members: members, at: house.moment)
        _ = try house.cores[Household.bob].send(["hello"], to: crew, at: house.moment)
        house.run()
        #expect(!takesPart(in: crew))
        _ = try house.cores[laptop].send(["hello, Bob"], to: crew, at: house.moment)
        house.run()
        return (crew, laptop)
    }

    /// Whether Alice takes part in a conversation, as the desk knows it.
    private func takesPart(in conversation: ConversationID) -> Bool {
        house.cores[Household.desk].context.familiarity.joined.contains(conversation)
    }

    @Test mutating func `in a group where Alice wrote on one device they take part on the others, also after a start`()
        throws
    {
        let crew = try foundCrew().crew
        #expect(try house.disks[Household.desk].readMarks(in: crew).isEmpty)
        #expect(takesPart(in: crew))
        try house.restart(Household.desk)
        #expect(takesPart(in: crew))
    }

    @Test func `what a device publishes or decides is nothing that Alice said`() throws {
        let desk = house.cores[Household.desk]
        let written = try #require(desk.replicas[group]).group.history.filter { $0.operation.author.user == desk.me }
        #expect(!written.isEmpty)
        let admitted = written.map { entry in
            AdmittedOperation(
                entry.operation, admittedAt: Placement(entry.operation, hybridTime: entry.hybridTime))
        }
        #expect(!desk.context.hasSpoken(in: admitted))
    }

    @Test mutating func `what a stolen device wrote makes Alice take part nowhere after a start`() throws {
        let (crew, laptop) = try foundCrew()
        #expect(takesPart(in: crew))
        house.cores[Household.desk].moment = house.moment
        try house.cores[Household.desk].takeOut(house.cores[laptop].device.id, as: .revoked)
        try house.restart(Household.desk)
        #expect(!takesPart(in: crew))
    }

    @Test mutating func `a device that is not the user's own is never given a key`() throws {
        let epoch = try #require(house.cores[Household.desk].replicas[group]?.epochs.all.keys.first)
        let peer = try #require(house.cores[Household.desk].links.keys.first)
        house.cores[Household.desk].supplyKeys([epoch], of: group, to: peer)
        let sent = house.cores[Household.desk].takeEffects().filter { effect in
            guard case .send = effect else { return false }
            return true
        }
        #expect(sent.isEmpty)
    }

    @Test mutating func `a key that is not what its author committed to is passed over`() throws {
        let laptop = try house.link(to: Household.desk)
        house.run()
        house.disconnect(Household.desk)
        house.connect(laptop, Household.bob)
        house.run()
        let lacking = try #require(house.cores[laptop].replicas[group]?.epochs.elsewhere.sorted())
        try #require(!lacking.isEmpty)
        house.connect(laptop, Household.desk)
        let desk = try #require(house.cores[laptop].links.handle(of: house.cores[Household.desk].device.id))
        let lies = lacking.map { PeerMessage.Key(epoch: $0, bytes: Array(repeating: 7, count: 32)) }
        house.cores[laptop].take(lies, of: group, from: desk)
        #expect(house.cores[laptop].replicas[group]?.epochs.elsewhere == Set(lacking))
        house.disconnect(Household.desk)
        house.connect(laptop, Household.desk)
        house.run()
        #expect(house.cores[laptop].replicas[group]?.epochs.elsewhere.isEmpty == true)
    }

    @Test mutating func `a key that was not there yet when it was asked for comes as soon as it is`() throws {
        let (laptop, tablet) = (try house.link(to: Household.desk), try house.link(to: Household.desk))
        house.run(for: .seconds(1))
        house.disconnect(Household.desk)
        for device in [laptop, tablet] { house.connect(device, Household.bob) }
        house.connect(laptop, tablet)
        house.run()
        // Both have asked each other, and neither had any.
        try #require(try house.texts(of: group, at: tablet) == [])
        house.connect(laptop, Household.desk)
        // Long enough to ask for the texts once more.
        house.run(for: .seconds(20))
        #expect(try house.texts(of: group, at: tablet) == ["one", "two", "three"])
    }

    @Test mutating func `a new device introduces itself before it writes what its user owes a group`() throws {
        let (alice, carol) = (house.cores[Household.desk].me, house.cores[Household.carol].me)
        house.connect(Household.bob, Household.carol)
        house.run(for: .seconds(1))
        let crew = try house.cores[Household.bob].createGroup(name: "Crew", members: [alice, carol], at: house.moment)
        try house.cores[Household.bob].setRole(of: alice, in: crew, to: .admin, at: house.moment)
        house.run(for: .seconds(1))
        house.disconnect(Household.desk)
        try house.cores[Household.bob].leave(crew, force: true, archive: false, at: house.moment)
        house.run(for: .seconds(1))
        // The desk has not heard that its user is the next admin, and nobody else of the laptop.
        let laptop = try house.link(to: Household.desk)
        house.connect(laptop, Household.carol)
        house.run()
        let written = house.disks[laptop].image.operations(of: crew, lane: .membership)
            .filter { $0.author.id == house.cores[laptop].device.id }
        #expect(written.map(\.header.type) == [.device, .ratify])
        #expect(house.cores[Household.carol].replicas[crew]?.digest == house.cores[laptop].replicas[crew]?.digest)
    }

    @Test mutating func `what nobody could read is refused before anything is written`() throws {
        var random = SeededRandom(seed: 5)
        let stranger = UserID(SigningKey.generate(using: &random).verifyingKey)
        let direct = try house.cores[Household.bob].openDirect(with: stranger, at: house.moment)
        #expect(throws: NodeError.self) {
            try house.cores[Household.bob].send(["hello"], to: direct, at: house.moment)
        }
        #expect(house.cores[Household.bob].replicas[direct]?.operationCount == 0)
    }

    @Test mutating func `keys that came are there again after a start`() throws {
        let laptop = try house.link(to: Household.desk)
        house.connect(laptop, Household.desk)
        house.run()
        house.cores[laptop] = try NodeCore(
            keys: house.cores[laptop].keys, storage: house.disks[laptop], blobs: house.disks[laptop], names: [],
            deviceName: "", staticPeers: [], random: SeededRandom(seed: 5), at: house.moment)
        #expect(try house.texts(of: group, at: laptop) == ["one", "two", "three"])
    }

    @Test mutating func `only the holder of the root signs what the user is called`() throws {
        let laptop = try house.link(to: Household.desk)
        house.connect(laptop, Household.desk)
        house.run()
        #expect(throws: NodeError.self) { try house.cores[laptop].setProfile(name: "Alicia", at: house.moment) }
        #expect(throws: NodeError.self) { try house.cores[laptop].deleteIdentity(at: house.moment) }
        try house.cores[Household.desk].setProfile(name: "Alicia", at: house.moment)
        house.run(for: .seconds(1))
        #expect(house.cores[laptop].card.name == "Alicia")
        #expect(house.cores[laptop].card == house.cores[Household.desk].card)
    }

    @Test mutating func `a device whose linking failed is none`() throws {
        let laptop = try house.link(to: Household.desk)
        house.run(for: .seconds(1))
        let device = house.cores[laptop].device.id
        try house.cores[Household.desk].withdraw(device, at: house.moment)
        house.run(for: .seconds(1))
        let record = try #require(house.cores[Household.bob].replicas[group]?.group.identity(of: house.cores[0].me))
        #expect(!record.certifies(device))
    }

    @Test mutating func `a device that a view has no place for gets keys and bodies from another one that has`() throws
    {
        // 256 people with two devices each take all 512 places. Alice has three.
        for holder in [Household.bob, Household.desk, Household.desk] { _ = try house.link(to: holder) }
        let devices = [Household.desk, 4, 5]
        let (alice, bob) = (house.cores[Household.desk].me, house.cores[Household.bob].me)
        var random = SplitMix64(seed: 9)
        let others = (0..<254).map { _ in Self.person(using: &random) }
        for other in others { _ = house.cores[Household.desk].contacts.learn(other) }
        house.connect(Household.desk, Household.bob)
        house.run(for: .seconds(1))
        let crowd = try house.cores[Household.desk].createGroup(
            name: "Crowd", members: [bob] + others.map(\.user), at: house.moment)
        house.run(for: .seconds(1))

        var replica = try #require(house.cores[Household.bob].replicas[crowd])
        let view = replica.view(at: replica.log.membership.heads)
        let readers = view?.readers ?? []
        try #require(readers.count == View.maximumReaders && readers.count { $0.user == alice } == 2)
        let outside = try #require(
            devices.first { core in !readers.contains { $0.device == house.cores[core].device.id } })
        let inside = try #require(devices.first { $0 != outside })
        for core in house.cores.indices { house.disconnect(core) }
        house.connect(inside, Household.desk)
        house.connect(outside, Household.desk)
        house.connect(outside, inside)
        house.connect(Household.bob, inside)
        house.run()
        _ = try house.cores[Household.bob].send(["for everybody"], to: crowd, at: house.moment)
        house.run()
        for core in [inside, outside] { #expect(try house.texts(of: crowd, at: core) == ["for everybody"]) }
    }

    /// Somebody with two devices, of whom nothing else is there.
    private static func person(using random: inout SplitMix64) -> Credentials {
        let root = SigningKey.generate(using: &random)
        let user = UserID(root.verifyingKey)
        let devices = (0..<2).map { _ in Author(user: user, key: .generate(using: &random)) }
            .sorted { $0.device.id < $1.device.id }
        return Credentials(
            identity: IdentityRecord(
                root: root, serial: 1, devices: devices.map { .init(device: $0.device, name: "") }),
            wraps: devices.map { author in
                WrapRecord(by: author, counter: 1, key: AgreementKey.generate(using: &random).publicKey)
            })
    }

    @Test mutating func `a user has at most eight devices`() throws {
        for _ in 0..<7 { _ = try house.link(to: Household.desk) }
        #expect(throws: NodeError.self) { try house.link(to: Household.desk) }
    }
}
