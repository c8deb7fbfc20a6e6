import Conversations
import Cryptography
import Membership
import OperationLog
import Storage
import Testing
import Time

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// Alice has a desk, which holds the root, and a laptop; Bob is in a group with them, and so is Carol, who is away.
/// Somebody takes the laptop out.
@Suite("Retiring a device")
struct RetiringTests {
    private var house: Household
    private let group: ConversationID
    private let laptop: Int
    private let viewBefore: ViewID
    private static let (desk, bob) = (Household.desk, Household.bob)

    init() throws {
        var house = try Household()
        house.connect(Self.desk, Self.bob)
        house.run(for: .seconds(1))
        let others = [house.cores[Self.bob].me, house.cores[Household.carol].me]
        _ = house.cores[Self.desk].contacts.learn(house.cores[Household.carol].ownCredentials)
        group = try house.cores[Self.desk].createGroup(name: "Ship", members: others, at: house.moment)
        _ = try house.cores[Self.desk].send(["one"], to: group, at: house.moment)
        house.run(for: .seconds(1))
        viewBefore = try Self.view(of: group, at: Self.bob, in: house).id
        laptop = try house.link(to: Self.desk)
        house.connect(laptop, Self.desk)
        house.connect(laptop, Self.bob)
        house.run()
        _ = try house.cores[laptop].send(["two"], to: group, at: house.moment)
        house.run()
        self.house = house
    }

    private static func view(of group: ConversationID, at core: Int, in house: Household) throws -> View {
        var replica = try #require(house.cores[core].replicas[group])
        let view = replica.view(at: replica.log.membership.heads)
        return try #require(view)
    }

    private var lost: DeviceID { house.cores[laptop].device.id }

    private mutating func retire() throws {
        try house.cores[Self.desk].retire(lost, at: house.moment)
        house.run()
    }

    private func refusal(_ body: () throws -> Void) -> NodeError.Code? {
        do {
            try body()
            return nil
        } catch let error as NodeError {
            return error.code
        } catch {
            return nil
        }
    }

    // MARK: - What follows

    @Test mutating func `what the device wrote stays, and it reads nothing that is written afterwards`() throws {
        try retire()
        _ = try house.cores[Self.bob].send(["three"], to: group, at: house.moment)
        house.run()
        #expect(try house.texts(of: group, at: Self.desk) == ["one", "two", "three"])
        #expect(try house.texts(of: group, at: Self.bob) == ["one", "two", "three"])
        #expect(try house.texts(of: group, at: laptop) == ["one", "two"])
        #expect(try !Self.view(of: group, at: Self.bob, in: house).contains(lost))
    }

    @Test mutating func `it learns so, is let go, and writes no more`() throws {
        try retire()
        #expect(house.cores[laptop].isTakenOut)
        #expect(!house.areConnected(laptop, Self.desk) && !house.areConnected(laptop, Self.bob))
        var node = house.cores[laptop]
        let (group, moment) = (group, house.moment)
        #expect(refusal { _ = try node.send(["no"], to: group, at: moment) } == .deviceTakenOut)
        let isNoted = house.notes[laptop]?.contains { note in
            guard case .deviceTakenOut = note else { return false }
            return true
        }
        #expect(isNoted == true)
    }

    @Test mutating func `a view from before it came does not come back when it has gone`() throws {
        try retire()
        let after = try Self.view(of: group, at: Self.bob, in: house)
        #expect(after.readers.count == 3)
        #expect(after.id != viewBefore)
    }

    @Test mutating func `a device that was away is told by whomever it meets first, and let go`() throws {
        house.disconnect(laptop)
        try retire()
        _ = try house.cores[laptop].send(["on old heads"], to: group, at: house.moment)
        house.connect(laptop, Self.bob)
        house.run()
        #expect(house.cores[laptop].isTakenOut)
        #expect(!house.areConnected(laptop, Self.bob))
        #expect(try house.texts(of: group, at: Self.bob) == ["one", "two"])
    }

    @Test mutating func `nothing that it signs with the tombstone in its past is admitted, by anybody`() throws {
        try retire()
        let author = house.cores[laptop].keys.author
        var log = try #require(house.cores[Self.bob].replicas[group]?.log)
        let membership = try log.write(
            membership: [ConversationLog.Draft(type: .merge, body: [])], by: author, at: house.moment.wall)
        var replica = try #require(house.cores[Self.bob].replicas[group])
        let index = house.disks[Self.bob].index(of: group)
        let merge = Batch(lane: .membership, operations: membership.map(\.operation))
        let admission = try replica.admit(merge, using: index)
        #expect(admission == .inadmissible(membership[0].operation.id, .deviceTakenOut))
        log = replica.log
        let content = try log.write(
            content: [ConversationLog.Draft(type: .complaint, epoch: nil, body: [])], by: author, at: house.moment.wall)
        let complaint = Batch(lane: .content, operations: content.map(\.operation))
        let answer = try replica.admit(complaint, using: index)
        #expect(answer == .inadmissible(content[0].operation.id, .deviceTakenOut))
    }

    @Test mutating func `no later record brings it back, also not after a start`() throws {
        let old = house.cores[Self.bob].contacts[house.cores[Self.desk].me].credentials
        try retire()
        for core in [Self.desk, Self.bob] { try house.restart(core) }
        let root = try #require(house.cores[Self.desk].keys.root)
        let entry = try #require(old?.identity.devices.first { $0.device.id == lost })
        let serial = house.cores[Self.desk].card.identity.serial + 1_000
        let claim = IdentityRecord(root: root, serial: serial, devices: [entry])
        _ = house.cores[Self.bob].contacts.learn(Credentials(identity: claim, wraps: old?.wraps ?? []))
        #expect(house.cores[Self.bob].contacts[claim.user].devices.isEmpty)
        #expect(house.cores[Self.bob].contacts[claim.user].credentials?.wraps.isEmpty == true)
        house.connect(laptop, Self.bob)
        house.run()
        #expect(!house.areConnected(laptop, Self.bob))
    }

    /// Has the laptop show the desk a record that names it alone, in passing. Returns the devices that the desk's node
    /// counts when it has settled that.
    private mutating func devicesAfterClaim() throws -> Set<DeviceID> {
        let (root, record) = (try #require(house.cores[Self.desk].keys.root), house.cores[Self.desk].card.identity)
        house.disconnect(laptop)
        let entry = try #require(house.cores[laptop].card.identity.devices.first { $0.device.id == lost })
        let claim = IdentityRecord(root: root, serial: record.serial + 1_000_000, devices: [entry])
        _ = house.cores[laptop].contacts.learn(Credentials(identity: claim, wraps: []))
        house.connect(laptop, Self.desk)
        house.disconnect(laptop)
        house.run()
        return Set(house.cores[Self.desk].context.countingIdentity.devices.map(\.device.id))
    }

    @Test mutating func `a record that leaves out the others counts for a moment, also where no introduction follows`()
        throws
    {
        let before = Set(house.cores[Self.desk].certifiedDevices.map(\.device.id))
        #expect(before.count == 2)
        #expect(try devicesAfterClaim() == before)
    }

    @Test mutating func `a record that a device shows which was taken out is not believed`() throws {
        try retire()
        let record = house.cores[Self.desk].card.identity
        #expect(try devicesAfterClaim() == [house.cores[Self.desk].device.id])
        #expect(house.cores[Self.desk].context.countingIdentity == record)
    }

    @Test mutating func `who writes carries the tombstone into a lane that lacks it`() throws {
        house.disconnect(Self.desk)
        let root = try #require(house.cores[Self.desk].keys.root)
        house.cores[Self.bob].keep([Tombstone(root: root, device: lost, kind: .retired)])
        house.run()
        #expect(house.cores[Self.bob].replicas[group]?.group.tombstones.isEmpty == true)
        _ = try house.cores[Self.bob].send(["three"], to: group, at: house.moment)
        house.run()
        #expect(house.cores[Self.bob].replicas[group]?.group.tombstones.map(\.device) == [lost])
        #expect(try !Self.view(of: group, at: Self.bob, in: house).contains(lost))
        house.connect(Self.desk, Self.bob)
        house.run()
        #expect(try house.texts(of: group, at: Self.desk) == ["one", "two", "three"])
        #expect(!house.cores[Self.desk].certifiedDevices.contains { $0.device.id == lost })
    }

    @Test mutating func `who comes back into a group says at once what was taken out meanwhile`() throws {
        try house.cores[Self.desk].leave(group, force: true, at: house.moment)
        house.run()
        try retire()
        #expect(house.cores[Self.bob].replicas[group]?.group.tombstones.isEmpty == true)
        try house.cores[Self.bob].invite(house.cores[Self.desk].me, to: group, at: house.moment)
        house.run()
        try house.cores[Self.desk].acceptInvite(to: group, at: house.moment)
        house.run()
        for core in [Self.desk, Self.bob] {
            #expect(house.cores[core].replicas[group]?.group.tombstones.map(\.device) == [lost])
        }
    }

    @Test mutating func `a tombstone is carried also where a member is back because a removal is void`() throws {
        let (bob, carol) = (house.cores[Self.bob].me, house.cores[Household.carol].device)
        try house.cores[Self.desk].setRole(of: bob, in: group, to: .admin, at: house.moment)
        house.run()
        for core in [Self.desk, laptop] { house.disconnect(core) }
        try house.cores[Self.bob].remove(carol.user, from: group, at: house.moment)
        let root = try #require(house.cores[Household.carol].keys.root)
        house.cores[Self.bob].keep([Tombstone(root: root, device: carol.id, kind: .retired)])
        #expect(house.cores[Self.bob].replicas[group]?.group.isMember(carol.user) == false)
        try house.cores[Self.desk].setRole(of: bob, in: group, to: .member, at: house.moment)
        let lane = house.disks[Self.desk].image.operations(of: group, lane: .membership)
        house.cores[Self.bob].admit(
            Batch(lane: .membership, operations: lane).encoded, to: group, lane: .membership,
            from: PeerHandle(rawValue: 1_000))
        #expect(house.cores[Self.bob].replicas[group]?.group.isMember(carol.user) == true)
        #expect(house.cores[Self.bob].replicas[group]?.group.tombstones.isEmpty == true)
        _ = try house.cores[Self.bob].send(["three"], to: group, at: house.moment)
        #expect(house.cores[Self.bob].replicas[group]?.group.tombstones.map(\.device) == [carol.id])
        #expect(try !Self.view(of: group, at: Self.bob, in: house).contains(carol.id))
    }

    @Test mutating func `a device that was taken out keeps the name that it had last`() throws {
        try house.cores[Self.desk].rename(lost, to: "old laptop", at: house.moment)
        house.run()
        try retire()
        let alice = house.cores[Self.desk].me
        for core in [Self.desk, Self.bob] {
            let gone = house.cores[core].devices(of: alice).filter { $0.takenOut == .retired }
            #expect(gone.map(\.name) == ["old laptop"])
        }
    }

    @Test mutating func `others hear that a device came and went`() throws {
        try retire()
        let changes = house.shown.compactMap { core, event -> People.DeviceChange? in
            guard core == Self.bob, case .devices(let change) = event else { return nil }
            return change
        }
        #expect(changes.map { $0.added.map(\.device.id) } == [[lost], []])
        #expect(changes.map { $0.gone.map(\.device.id) } == [[], [lost]])
    }

    @Test
    mutating func `a tombstone that came with a lane counts after a start, also where it was not stored by itself`()
        throws
    {
        try retire()
        var image = house.disks[Self.bob].image
        image.tombstones = [:]
        house.disks[Self.bob].restore(image)
        try house.restart(Self.bob)
        house.connect(laptop, Self.bob)
        house.run()
        #expect(!house.areConnected(laptop, Self.bob))
        #expect(house.disks[Self.bob].image.tombstones[house.cores[Self.desk].me]?[lost] != nil)
    }

    // MARK: - Two holders of the root

    /// Whoever is heard first is believed; what different people heard comes together.
    @Test(arguments: [true, false])
    func `of two holders who take out each other all hear the same in the end, whomever they meet first`(
        isSameFirst: Bool
    ) throws {
        var house = try Household()
        let (desk, bob, carol) = (Household.desk, Household.bob, Household.carol)
        for (one, other) in [(desk, bob), (desk, carol), (bob, carol)] { house.connect(one, other) }
        house.run()
        _ = try house.cores[desk].createGroup(
            name: "Ship", members: [house.cores[bob].me, house.cores[carol].me], at: house.moment)
        let laptop = try house.link(to: desk, withRoot: true)
        for other in [desk, bob, carol] { house.connect(laptop, other) }
        house.run()
        for core in house.cores.indices { house.disconnect(core) }
        let (first, second) = (house.cores[desk].device.id, house.cores[laptop].device.id)
        try house.cores[desk].revoke(second, stolenAt: nil, isForced: false, at: house.moment)
        try house.cores[laptop].revoke(first, stolenAt: nil, isForced: false, at: house.moment)

        house.connect(desk, bob)
        house.connect(isSameFirst ? desk : laptop, carol)
        house.run()
        house.connect(laptop, bob)
        house.connect(isSameFirst ? laptop : desk, carol)
        house.run()
        house.connect(bob, carol)
        house.run()
        let user = house.cores[desk].me
        let out = [bob, carol].map { Set(house.cores[$0].contacts[user].tombstones.all.map(\.device)) }
        #expect(out == Array(repeating: isSameFirst ? [second] : [first, second], count: 2))
        #expect(house.cores[laptop].isTakenOut)
        #expect(house.cores[desk].isTakenOut == !isSameFirst)
    }

    // MARK: - Lies

    @Test mutating func `a lane that holds as many tombstones as it can has nobody write one more again and again`()
        throws
    {
        var (random, smaller): (SeededRandom, [DeviceID]) = (SeededRandom(seed: 9), [])
        let root = SigningKey.generate(using: &random)
        let mallory = Author(user: UserID(root.verifyingKey), key: .generate(using: &random))
        while smaller.count < Tombstones.maximumCount {
            let id = Device(user: mallory.device.user, key: SigningKey.generate(using: &random).verifyingKey).id
            if id < mallory.device.id { smaller.append(id) }
        }
        // They are in the lane before she is in the group, so that nobody keeps them.
        let tombstones = smaller.sorted().map { Tombstone(root: root, device: $0, kind: .retired) }
        let own = house.cores[Self.desk].ownCredentials
        try house.cores[Self.desk].write([.device(own: own, tombstones: tombstones)], in: group)
        house.run()
        let wrap = WrapRecord(by: mallory, counter: 1, key: AgreementKey.generate(using: &random).publicKey)
        let record = IdentityRecord(root: root, serial: 1, devices: [.init(device: mallory.device, name: "")])
        _ = house.cores[Self.desk].contacts.learn(Credentials(identity: record, wraps: [wrap]))
        try house.cores[Self.desk].add([mallory.device.user], to: group, at: house.moment)
        house.run()
        house.cores[Self.bob].keep([Tombstone(root: root, device: mallory.device.id, kind: .retired)])
        #expect(house.cores[Self.bob].contacts[mallory.device.user].tombstones[mallory.device.id] != nil)
        _ = try house.cores[Self.bob].send(["three"], to: group, at: house.moment)
        house.run()
        #expect(try house.texts(of: group, at: Self.desk) == ["one", "two", "three"])
        #expect(house.cores[Self.bob].replicas[group]?.group.tombstones.count == Tombstones.maximumCount)
    }

    @Test mutating func `of too many tombstones each is told once, and never back`() throws {
        let root = try #require(house.cores[Self.bob].keys.root)
        let user = house.cores[Self.bob].me
        var random = SeededRandom(seed: 257)
        let tombstones = (0...Tombstones.maximumCount).map { _ in
            let key = SigningKey.generate(using: &random).verifyingKey
            return Tombstone(root: root, device: Device(user: user, key: key).id, kind: .retired)
        }
        let last = try #require(tombstones.max { $0.device < $1.device })
        house.sent = []
        house.cores[Self.desk].keep(tombstones.filter { $0 != last })
        house.run()
        let told = house.sent.filter { $0.bytes.first == 38 }
        #expect(!told.contains { $0.to == Self.desk && $0.from == laptop })
        #expect(house.cores[laptop].contacts[user].tombstones.count == TombstoneBudgets.maximumPassedOn)
        house.disconnect(laptop)
        house.connect(laptop, Self.desk)
        house.run()
        #expect(house.cores[laptop].contacts[user].tombstones.count == Tombstones.maximumCount)
        house.sent = []
        let handle = try #require(house.cores[Self.desk].links.handle(of: house.cores[Self.bob].device.id))
        let bytes = PeerMessage.people(.tombstones([last.encoded])).encoded
        for _ in 0..<2 {
            house.cores[Self.desk].handle(.received(ReceivedMessage(decoding: bytes), on: handle), at: house.moment)
        }
        house.run()
        #expect(!house.sent.contains { $0.bytes.first == 38 })
        #expect(house.cores[Self.desk].contacts[user].tombstones[last.device] == nil)
    }

    /// Ever smaller ids are always news. They must not keep back word of a device that there is.
    @Test func `two thousand tombstones of one user cost a group of ten little more than whoever was sent them`() throws
    {
        var house = try Household(others: (4...10).map { "Member \($0)" })
        for one in house.cores.indices {
            for other in house.cores.indices where other > one { house.connect(one, other) }
        }
        house.run()
        _ = try house.cores[Self.desk].createGroup(
            name: "Ship", members: house.cores.dropFirst().map(\.me), at: house.moment)
        house.run()
        let root = try #require(house.cores[Self.desk].keys.root)
        let made: [Tombstone] = try (0..<2_000).map { number in
            let bytes = [UInt8(0), UInt8((2_000 - number) >> 8), UInt8((2_000 - number) & 0xFF)]
            let text = (bytes + Array(repeating: 7, count: 29)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
            return Tombstone(root: root, device: try #require(DeviceID(hexadecimal: text.joined())), kind: .retired)
        }
        let thief = try #require(house.cores[Self.bob].links.handle(of: house.cores[Self.desk].device.id))
        house.sent = []
        for start in stride(from: 0, to: made.count, by: 100) {
            let message = PeerMessage.people(.tombstones(made[start..<start + 100].map(\.encoded))).encoded
            house.cores[Self.bob].handle(.received(ReceivedMessage(decoding: message), on: thief), at: house.moment)
            house.run(for: .seconds(1))
        }
        #expect(house.cores[Self.bob].contacts[house.cores[Self.desk].me].tombstones.count == Tombstones.maximumCount)
        let brought = made.reduce(0) { $0 + $1.encoded.count }
        let passedOn = house.sent.filter { $0.bytes.first == 38 }.reduce(0) { $0 + $1.bytes.count }
        #expect(passedOn > 0 && passedOn <= 2 * brought)

        let laptop = try house.link(to: Self.desk)
        house.run()
        let lost = house.cores[laptop].device.id
        house.cores[Household.carol].keep([Tombstone(root: root, device: lost, kind: .retired)])
        house.run()
        // Bob has no place for it.
        for core in house.cores.indices where core != Self.bob && core != laptop {
            #expect(house.cores[core].contacts[house.cores[Self.desk].me].tombstones[lost] != nil)
        }
    }

    @Test mutating func `a tombstone by anybody else than the root of its user changes nothing`() throws {
        let mallory = try #require(house.cores[Self.bob].keys.root)
        house.cores[Self.desk].keep([Tombstone(root: mallory, device: lost, kind: .revoked)])
        house.run()
        #expect(house.cores[Self.desk].certifiedDevices.count == 2)
        #expect(house.areConnected(laptop, Self.desk))
        _ = try house.cores[Self.bob].send(["three"], to: group, at: house.moment)
        house.run()
        #expect(try house.texts(of: group, at: laptop) == ["one", "two", "three"])
    }

    @Test mutating func `a tombstone that does not verify is an offense`() throws {
        let root = try #require(house.cores[Self.desk].keys.root)
        var bytes = Tombstone(root: root, device: lost, kind: .retired).encoded
        bytes[128] ^= 1
        let handle = try #require(house.cores[Self.bob].links.handle(of: house.cores[Self.desk].device.id))
        house.cores[Self.bob].handle(
            .received(ReceivedMessage(decoding: PeerMessage.people(.tombstones([bytes])).encoded), on: handle),
            at: house.moment)
        #expect(house.cores[Self.bob].links[handle] == nil)
        #expect(house.cores[Self.bob].contacts[house.cores[Self.desk].me].tombstones.isEmpty)
    }

    @Test mutating func `a taken-out device is given no key and no body`() throws {
        let epoch = try #require(house.cores[Self.desk].replicas[group]?.epochs.all.keys.first)
        let peer = try #require(house.cores[Self.desk].links.handle(of: lost))
        let root = try #require(house.cores[Self.desk].keys.root)
        _ = house.cores[Self.desk].contacts.learn(Tombstone(root: root, device: lost, kind: .retired))
        house.cores[Self.desk].supplyKeys([epoch], of: group, to: peer)
        let sent = house.cores[Self.desk].takeEffects().filter { effect in
            guard case .send = effect else { return false }
            return true
        }
        #expect(sent.isEmpty)
    }

    // MARK: - Who may

    @Test mutating func `only the holder of the root takes a device out, and never itself`() throws {
        var (node, desk) = (house.cores[laptop], house.cores[Self.desk])
        let (own, moment, lost) = (desk.device.id, house.moment, lost)
        #expect(refusal { try node.retire(own, at: moment) } == .invalidOperation)
        #expect(refusal { try desk.retire(own, at: moment) } == .invalidOperation)
        try desk.retire(lost, at: moment)
        try desk.retire(lost, at: moment)
        #expect(desk.contacts[desk.me].tombstones.count == 1)
    }

    @Test mutating func `a device whose linking failed is taken out`() throws {
        try house.cores[Self.desk].withdraw(lost, at: house.moment)
        house.run()
        #expect(house.cores[Self.bob].contacts[house.cores[Self.desk].me].tombstones[lost]?.kind == .retired)
    }

    @Test mutating func `a device gets another name where its user gives it one`() throws {
        try house.cores[Self.desk].rename(lost, to: "kitchen", at: house.moment)
        house.run()
        #expect(house.cores[laptop].certifiedDevices.first { $0.device.id == lost }?.name == "kitchen")
        #expect(house.cores[Self.bob].contacts[house.cores[Self.desk].me].devices.map(\.name).contains("kitchen"))
    }

    // MARK: - Two roots

    @Test mutating func `two holders of the root who were apart end with one record and all tombstones`() throws {
        let second = try house.link(to: Self.desk, withRoot: true)
        let third = try house.link(to: Self.desk)
        house.connect(second, Self.desk)
        house.run()
        house.disconnect(second)
        house.disconnect(Self.desk)
        house.disconnect(laptop)
        let fourth = try house.link(to: second)
        try house.cores[second].retire(lost, at: house.moment)
        house.run()
        let fifth = try house.link(to: Self.desk)
        try house.cores[Self.desk].retire(house.cores[third].device.id, at: house.moment)
        house.run()
        house.connect(second, Self.desk)
        house.connect(second, Self.bob)
        house.run()
        let expected = Set([Self.desk, second, fourth, fifth].map { house.cores[$0].device.id })
        let user = house.cores[Self.desk].me
        for core in [Self.desk, second, Self.bob] {
            let person = house.cores[core].contacts[user]
            #expect(Set(person.devices.map(\.device.id)) == expected)
            #expect(person.identity == house.cores[Self.desk].card.identity)
            #expect(Set(person.tombstones.all.map(\.device)) == [lost, house.cores[third].device.id])
        }
        #expect(Set(house.cores[Self.desk].card.identity.devices.map(\.device.id)) == expected)
    }

    @Test mutating func `another holder of the root who was away certifies nothing again that was taken out`() throws {
        let second = try house.link(to: Self.desk, withRoot: true)
        house.connect(second, Self.desk)
        house.run()
        house.disconnect(second)
        try retire()
        let record = house.cores[Self.desk].card.identity
        house.connect(second, Self.desk)
        house.run()
        #expect(house.cores[second].isTakenOut == false)
        for core in [Self.desk, second, Self.bob] {
            #expect(house.cores[core].contacts[record.user].identity == record)
        }
    }

    @Test
    mutating func `two holders of the root whom only somebody else connects end with one record, and are not behind`()
        throws
    {
        let second = try house.link(to: Self.desk, withRoot: true)
        house.connect(second, Self.bob)
        house.connect(second, Self.desk)
        house.run()
        for core in [Self.desk, second] { house.disconnect(core) }
        let (third, fourth) = (try house.link(to: Self.desk), try house.link(to: second))
        try house.cores[Self.desk].retire(lost, at: house.moment)
        house.run()
        house.connect(Self.desk, Self.bob)
        house.connect(second, Self.bob)
        house.run(for: .seconds(30))
        let expected = Set([Self.desk, second, third, fourth].map { house.cores[$0].device.id })
        for core in [Self.desk, second, Self.bob] {
            let person = house.cores[core].contacts[house.cores[Self.desk].me]
            #expect(Set(person.devices.map(\.device.id)) == expected)
            #expect(house.cores[core].replicator.status(of: group).state == .synced)
        }
    }

    @Test mutating func `a device that a record leaves out is one again once it meets a holder of the root`() throws {
        house.disconnect(laptop)
        let root = try #require(house.cores[Self.desk].keys.root)
        let own = house.cores[Self.desk].certifiedDevices.filter { $0.device.id != lost }
        try house.cores[Self.desk].publish(own, signedBy: root)
        house.run()
        house.connect(laptop, Self.bob)
        house.run()
        #expect(!house.cores[laptop].certifiedDevices.contains { $0.device.id == lost })
        var node = house.cores[laptop]
        let (group, moment) = (group, house.moment)
        #expect(refusal { _ = try node.send(["no"], to: group, at: moment) } == .invalidOperation)
        try house.restart(laptop)
        #expect(house.cores[laptop].context.shownIdentity.certifies(lost))
        house.connect(laptop, Self.desk)
        house.connect(laptop, Self.bob)
        house.run()
        _ = try house.cores[laptop].send(["back"], to: group, at: house.moment)
        house.run()
        #expect(try house.texts(of: group, at: Self.bob) == ["one", "two", "back"])
    }
}
