import Conversations
import OperationLog
import OperationLogFixtures
import Testing
import Time

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// How much room Bob's node gives to what it did not ask for.
@Suite("The machine for room")
struct BodyQuotaTests {
    private static let (alice, bob, carol) = (0, 1, 2)
    private var room = BodyQuota()
    private var trio: Trio
    private let group: ConversationID
    private let fromAlice: PeerHandle

    init() throws {
        var trio = try Trio()
        group = try trio.found()
        fromAlice = trio.connect(Self.bob, to: Self.alice)
        self.trio = trio
    }

    /// The operations of a batch, as if they were admitted.
    private static func admitted(_ batch: Batch) -> [AdmittedOperation] {
        batch.operations.map { AdmittedOperation($0, admittedAt: Placement($0, hybridTime: 1)) }
    }

    private mutating func hasRoom(for batch: Batch) -> Bool {
        room.hasRoom(for: batch, in: group, from: fromAlice, &trio.cores[Self.bob].context)
    }

    @Test mutating func `strangers bring so much into a group that the user has not accepted, and no more`() throws {
        let batch = Batch(
            lane: .content, operations: trio.disks[Self.alice].image.operations(of: group, lane: .content))
        var taken = 0
        while hasRoom(for: batch) {
            room.count(Self.admitted(batch), in: group)
            taken += batch.operations.reduce(0) { $0 + $1.footprint }
            try #require(taken < 2 * BodyQuota.unaccepted.lane)
        }
        #expect(taken > BodyQuota.unaccepted.lane / 2)
        #expect(room.lackOfRoom(in: group, &trio.cores[Self.bob].context) == .unaccepted)
        // What the user has accepted has all the room there is.
        try trio.cores[Self.bob].markRead(group, at: Trio.moment)
        #expect(room.lackOfRoom(in: group, &trio.cores[Self.bob].context) == nil)
        #expect(hasRoom(for: batch))
    }

    @Test mutating func `all requests together have a bound, and each has a little whatever others take`() throws {
        let held = trio.disks[Self.alice].image.operations(of: group, lane: .content)
        let many = Array(repeating: Self.admitted(Batch(lane: .content, operations: held)), count: 2_000).flatMap(
            \.self)
        let bytes = many.reduce(0) { $0 + $1.operation.footprint }
        /// How much of what Alice brings into a new group has room, up to a quarter of what a lane may take.
        func taken(_ trio: inout Trio, _ room: inout BodyQuota) throws -> Int {
            let group = try trio.found()
            let batch = Batch(
                lane: .content, operations: trio.disks[Self.alice].image.operations(of: group, lane: .content))
            var taken = 0
            while taken < BodyQuota.unaccepted.lane / 4,
                room.hasRoom(for: batch, in: group, from: fromAlice, &trio.cores[Self.bob].context)
            {
                room.count(Self.admitted(batch), in: group)
                taken += batch.operations.reduce(0) { $0 + $1.footprint }
            }
            return taken
        }
        #expect(try taken(&trio, &room) >= BodyQuota.unaccepted.lane / 4)
        #expect(hasRoom(for: Batch(lane: .content, operations: held)))
        for _ in 0..<2 * BodyQuota.unaccepted.all / bytes { room.count(many, in: group) }
        let rest = try taken(&trio, &room)
        #expect(rest > BodyQuota.unaccepted.guaranteed / 2 && rest < 2 * BodyQuota.unaccepted.guaranteed)
    }

    @Test mutating func `a list of people counts for what it takes in memory`() throws {
        var random = SeededRandom(seed: 1)
        let people = (0..<256).map { _ in Person(using: &random).user }.sorted()
        func hasRoom(ratificationsOf count: Int) throws -> Bool {
            var log = try #require(trio.alice.replicas[group]).log
            let creation = try #require(log.membership.operations.first).id
            let body = MembershipBody.ratify(
                under: .grant(operation: creation, slot: 0), keep: [],
                bans: people.prefix(count).map { .init(user: $0, pins: []) })
            let written = try log.write(
                membership: Array(repeating: .init(type: body.type, body: body.encoded), count: 60),
                by: trio.alice.context.keys.author, at: Trio.moment.wall)
            return self.hasRoom(for: Batch(lane: .membership, operations: written.map(\.operation)))
        }
        #expect(try hasRoom(ratificationsOf: 1))
        #expect(try !hasRoom(ratificationsOf: 256), "half a megabyte of bytes is many times that in memory")
    }

    @Test mutating func `what was decided has a bound in the user's own groups, too, but for what admins bring`() throws
    {
        try trio.cores[Self.bob].markRead(group, at: Trio.moment)
        let fromCarol = trio.connect(Self.bob, to: Self.carol)
        let written = trio.disks[Self.alice].image.operations(of: group, lane: .membership)
        let batch = Batch(lane: .membership, operations: written)
        let bytes = written.reduce(0) { $0 + BodyQuota.laneBytes(of: $1) }
        let many = Array(repeating: Self.admitted(batch), count: BodyQuota.decided.lane / bytes).flatMap(\.self)
        func hasRoom(from peer: PeerHandle) -> Bool {
            room.hasRoom(for: batch, in: group, from: peer, &trio.cores[Self.bob].context)
        }
        #expect(hasRoom(from: fromCarol))
        room.count(many, in: group)
        #expect(!hasRoom(from: fromCarol))
        #expect(room.lackOfRoom(in: group, &trio.cores[Self.bob].context) == .decisions)
        #expect(hasRoom(from: fromAlice), "she is an admin")
        #expect(
            room.hasRoom(for: try decided(by: Self.carol), in: group, from: fromCarol, &trio.cores[Self.bob].context))
        let said = trio.disks[Self.alice].image.operations(of: group, lane: .content)
        let message = Batch(lane: .content, operations: said)
        #expect(room.hasRoom(for: message, in: group, from: fromCarol, &trio.cores[Self.bob].context))
        room.count(many, in: group)
        #expect(!hasRoom(from: fromAlice))
    }

    @Test mutating func `what a person decides and brings has a bound of its own, whatever others decided`() throws {
        try trio.cores[Self.bob].markRead(group, at: Trio.moment)
        let fromCarol = trio.connect(Self.bob, to: Self.carol)
        let batch = try decided(by: Self.carol)
        func hasRoom(from peer: PeerHandle) -> Bool {
            room.hasRoom(for: batch, in: group, from: peer, &trio.cores[Self.bob].context)
        }
        #expect(hasRoom(from: fromCarol))
        let bytes = batch.operations.reduce(0) { $0 + BodyQuota.laneBytes(of: $1) }
        room.count(
            Array(repeating: Self.admitted(batch), count: 1 + BodyQuota.maximumDecidedBytes / bytes).flatMap(\.self),
            in: group)
        #expect(!hasRoom(from: fromCarol))
        #expect(hasRoom(from: fromAlice), "who took it passes it on")
    }

    /// However many groups she fills, and whoever she says brought it: she is to be removed.
    @Test mutating func `whoever fills groups of their own keeps nobody from deciding in another`() throws {
        try trio.cores[Self.bob].markRead(group, at: Trio.moment)
        let fromCarol = trio.connect(Self.bob, to: Self.carol)
        let written = trio.disks[Self.alice].image.operations(of: group, lane: .membership)
        let batch = Batch(lane: .membership, operations: written)
        let bytes = written.reduce(0) { $0 + BodyQuota.laneBytes(of: $1) }
        func fill(_ group: ConversationID, _ size: Int) {
            room.count(Array(repeating: Self.admitted(batch), count: size / bytes).flatMap(\.self), in: group)
        }
        #expect(room.hasRoom(for: batch, in: group, from: fromCarol, &trio.cores[Self.bob].context))
        fill(group, 5 << 20)
        for isJoined in [false, true, true, true] {
            let own = try trio.found()
            #expect(room.hasRoom(for: batch, in: own, from: fromCarol, &trio.cores[Self.bob].context))
            fill(own, BodyQuota.decidedByAdmins.lane)
            if isJoined { try trio.cores[Self.bob].markRead(own, at: Trio.moment) }
        }
        for peer in [fromAlice, fromCarol] {
            #expect(room.hasRoom(for: batch, in: group, from: peer, &trio.cores[Self.bob].context))
        }
        #expect(
            room.hasRoom(for: try decided(by: Self.carol), in: group, from: fromCarol, &trio.cores[Self.bob].context))
    }

    @Test mutating func `a lane is bounded, however many people each bring their own`() throws {
        try trio.cores[Self.bob].markRead(group, at: Trio.moment)
        let fromCarol = trio.connect(Self.bob, to: Self.carol)
        let written = trio.disks[Self.alice].image.operations(of: group, lane: .membership)
        let bytes = written.reduce(0) { $0 + BodyQuota.laneBytes(of: $1) }
        let little = try decided(by: Self.carol)
        func hasRoom(for batch: Batch) -> Bool {
            room.hasRoom(for: batch, in: group, from: fromCarol, &trio.cores[Self.bob].context)
        }
        #expect(hasRoom(for: little))
        for (bound, isRoom) in [(BodyQuota.decided.lane, true), (BodyQuota.decidedLittle.lane, false)] {
            let counted = Self.admitted(Batch(lane: .membership, operations: written))
            room.count(Array(repeating: counted, count: bound / bytes).flatMap(\.self), in: group)
            #expect(hasRoom(for: little) == isRoom)
        }
    }

    @Test mutating func `of a group in which the user takes no part people whom they know bring a bounded lane`() throws
    {
        let batch = try decided(by: Self.carol)
        trio.cores[Self.bob].contacts.setVerified(true, trio.carol.me)
        let fromCarol = trio.connect(Self.bob, to: Self.carol)
        func hasRoom() -> Bool { room.hasRoom(for: batch, in: group, from: fromCarol, &trio.cores[Self.bob].context) }
        let others = Batch(
            lane: .membership, operations: trio.disks[Self.alice].image.operations(of: group, lane: .membership))
        let bytes = others.operations.reduce(0) { $0 + BodyQuota.laneBytes(of: $1) }
        for (bound, isRoom) in [(BodyQuota.unaccepted.lane, true), (BodyQuota.ofFamiliar.lane, false)] {
            #expect(hasRoom())
            room.count(Array(repeating: Self.admitted(others), count: bound / bytes).flatMap(\.self), in: group)
            #expect(hasRoom() == isRoom)
        }
        trio.cores[Self.bob].contacts.setVerified(true, trio.alice.me)
        #expect(room.hasRoom(for: batch, in: group, from: fromAlice, &trio.cores[Self.bob].context), "she is an admin")
        try trio.cores[Self.bob].markRead(group, at: Trio.moment)
        #expect(hasRoom(), "he takes part")
    }

    /// Something that somebody decided.
    private func decided(by index: Int) throws -> Batch {
        var log = try #require(trio.cores[index].replicas[group]).log
        let body = MembershipBody.merge
        let written = try log.write(
            membership: [.init(type: body.type, body: body.encoded)], by: trio.cores[index].context.keys.author,
            at: Trio.moment.wall)
        return Batch(lane: .membership, operations: written.map(\.operation))
    }

    @Test mutating func `groups that are full leave each other an equal share`() throws {
        let written = trio.disks[Self.alice].image.operations(of: group, lane: .membership)
        let bytes = written.reduce(0) { $0 + BodyQuota.laneBytes(of: $1) }
        #expect(hasRoom(for: Batch(lane: .membership, operations: written)))
        room.count(
            Array(
                repeating: Self.admitted(Batch(lane: .membership, operations: written)),
                count: 1 + BodyQuota.ofFamiliarAdmins.all / bytes
            )
            .flatMap(\.self), in: group)
        let other = try trio.found()
        trio.cores[Self.bob].contacts.setVerified(true, trio.alice.me)
        let theirs = trio.disks[Self.alice].image.operations(of: other, lane: .membership)
        let batch = Batch(lane: .membership, operations: theirs)
        var taken = 0
        while taken < BodyQuota.ofFamiliarAdmins.all,
            room.hasRoom(for: batch, in: other, from: fromAlice, &trio.cores[Self.bob].context)
        {
            room.count(Self.admitted(batch), in: other)
            taken += theirs.reduce(0) { $0 + BodyQuota.laneBytes(of: $1) }
        }
        #expect(taken > BodyQuota.ofFamiliarAdmins.all / 2 - 2 * bytes && taken <= BodyQuota.ofFamiliarAdmins.all / 2)
    }

    @Test mutating func `somebody whom the user knows says as much as they like`() throws {
        let batch = Batch(
            lane: .content, operations: trio.disks[Self.alice].image.operations(of: group, lane: .content))
        #expect(hasRoom(for: batch))
        let many = Self.admitted(batch)
        for _ in 0..<20_000 { room.count(many, in: group) }
        #expect(!hasRoom(for: batch))
        trio.cores[Self.bob].contacts.setVerified(true, trio.alice.me)
        #expect(hasRoom(for: batch))
    }

    /// Alice fills the lane of a group into which she brought Bob, who never wrote there.
    @Test func `a group that takes no more says so, and takes the rest once its member accepts it`() throws {
        var house = try Household()
        house.connect(Household.desk, Household.bob)
        house.run(for: .seconds(1))
        _ = house.cores[Household.desk].contacts.learn(house.cores[Household.carol].ownCredentials)
        let others = [Household.bob, Household.carol].map { house.cores[$0].me }
        let group = try house.cores[Household.desk].createGroup(name: "Ship", members: others, at: house.moment)
        _ = try house.cores[Household.desk].send(["one"], to: group, at: house.moment)
        house.run()
        var core = house.cores[Household.bob]
        var room = core.bodyQuota
        let alice = try #require(core.links.handle(of: house.cores[Household.desk].device.id))
        let held = house.disks[Household.bob].image.operations(of: group, lane: .content)
        let index = house.disks[Household.bob].index(of: group)
        let many = try held.map { AdmittedOperation($0, admittedAt: try #require(try index.placement(of: $0.id))) }
        #expect(
            room.hasRoom(for: Batch(lane: .content, operations: held), in: group, from: alice, &core.context))
        for _ in 0..<20_000 { room.count(many, in: group) }
        core.bodyQuota = room
        house.cores[Household.bob] = core
        #expect(house.cores[Household.bob].reasonHeldBack(group) == nil)

        _ = try house.cores[Household.desk].send(["two"], to: group, at: house.moment)
        house.run()
        #expect(house.cores[Household.bob].reasonHeldBack(group) == .unaccepted)
        #expect(try house.texts(of: group, at: Household.bob) == ["one"])
        try house.cores[Household.bob].acceptInvite(to: group, at: house.moment)
        house.run(for: .seconds(40))
        #expect(house.cores[Household.bob].reasonHeldBack(group) == nil)
        #expect(try house.texts(of: group, at: Household.bob) == ["one", "two"])
    }

    @Test mutating func `bodies are counted anew once, and not again for ten seconds`() {
        room.recount(group)
        #expect(room.dueRecounts(in: &trio.cores[Self.bob].context) == [group])
        // The storage did not do it.
        #expect(room.uncounted == [group])
        #expect(room.dueRecounts(in: &trio.cores[Self.bob].context).isEmpty)
        trio.cores[Self.bob].moment = Trio.after(.seconds(10))
        #expect(room.dueRecounts(in: &trio.cores[Self.bob].context) == [group])
        room.recounted(group)
        #expect(room.uncounted.isEmpty)
    }
}
