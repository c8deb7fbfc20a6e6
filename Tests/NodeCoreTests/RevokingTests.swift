import Conversations
import Cryptography
import OperationLog
import Storage
import Testing
import Time

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// Alice has a desk, which holds the root, and a laptop, which was stolen; Bob and Carol are in a group with them, and
/// Carol is away.
@Suite("Revoking a device")
struct RevokingTests {
    private var house: Household
    private let group: ConversationID
    private let laptop: Int
    private let stolen: Timestamp
    private static let (desk, bob, carol) = (Household.desk, Household.bob, Household.carol)

    init() throws {
        var house = try Household()
        house.connect(Self.desk, Self.bob)
        house.run(for: .seconds(1))
        let others = [Self.bob, Self.carol].map { house.cores[$0].me }
        _ = house.cores[Self.desk].contacts.learn(house.cores[Self.carol].ownCredentials)
        group = try house.cores[Self.desk].createGroup(name: "Ship", members: others, at: house.moment)
        laptop = try house.link(to: Self.desk)
        house.connect(laptop, Self.desk)
        house.connect(laptop, Self.bob)
        house.run()
        _ = try house.cores[laptop].send(["by Alice"], to: group, at: house.moment)
        house.run()
        stolen = house.moment.wall
        house.run(for: .seconds(10))
        _ = try house.cores[laptop].send(["by the thief"], to: group, at: house.moment)
        try house.cores[laptop].remove(house.cores[Self.carol].me, from: group, at: house.moment)
        house.run()
        self.house = house
    }

    private var lost: DeviceID { house.cores[laptop].device.id }

    private mutating func revoke(since moment: Timestamp?, isForced: Bool = false) throws {
        try house.cores[Self.desk].revoke(lost, stolenAt: moment, isForced: isForced, at: house.moment)
        house.run()
    }

    private func isMember(_ person: Int, at core: Int) -> Bool? {
        house.cores[core].replicas[group]?.group.isMember(house.cores[person].me)
    }

    @Test mutating func `what the device did since counts no more, and what it wrote is not shown`() throws {
        try #require(isMember(Self.carol, at: Self.bob) == false)
        try revoke(since: stolen)
        for core in [Self.desk, Self.bob] {
            #expect(try house.texts(of: group, at: core) == ["by Alice"])
            #expect(isMember(Self.carol, at: core) == true)
        }
        #expect(house.cores[laptop].isTakenOut && !house.areConnected(laptop, Self.bob))
        #expect(house.cores[Self.bob].contacts[house.cores[Self.desk].me].tombstones[lost]?.kind == .revoked)
    }

    /// Their user may say so again, of as much more as they like.
    @Test mutating func `what a further revocation names is shown again, and no more`() throws {
        _ = try house.cores[laptop].send(["later", "latest"], to: group, at: house.moment)
        house.run()
        let theirs = house.disks[Self.bob].image.operations(of: group, lane: .content)
            .filter { $0.author.id == lost && $0.header.type == .message }
        try #require(theirs.count == 4)
        try revoke(since: stolen)
        try #require(try house.texts(of: group, at: Self.bob) == ["by Alice"])
        let root = try #require(house.cores[Self.desk].keys.root)
        for (message, shown) in [(theirs[1], 2), (theirs[2], 3), (theirs[1], 3), (theirs[3], 4)] {
            let revocation = DeviceRevocation(root: root, of: lost, in: group, keeping: [], [message.id])
            try house.cores[Self.desk].write([.revoke(revocation)], in: group)
            house.run()
            for core in [Self.desk, Self.bob] {
                #expect(
                    try house.texts(of: group, at: core)
                        == ["by Alice", "by the thief", "later", "latest"].prefix(shown).map(\.self))
            }
        }
        #expect(try withheld(at: Self.bob) == 0)
    }

    @Test mutating func `all that is here counts where nobody says since when`() throws {
        try revoke(since: nil)
        #expect(try house.texts(of: group, at: Self.bob) == ["by Alice", "by the thief"])
        #expect(isMember(Self.carol, at: Self.bob) == false)
    }

    /// Whether their user wanted it nobody can tell.
    @Test mutating func `whom the device blocked stays blocked, and its user is told who that is`() throws {
        let (bob, carol) = (house.cores[Self.bob].me, house.cores[Self.carol].me)
        try house.cores[laptop].setBlocked(true, of: bob, at: house.moment)
        try house.cores[Self.desk].setBlocked(true, of: carol, at: house.moment)
        house.run()
        #expect(try house.cores[Self.desk].losses(byRevoking: lost, stolenAt: stolen).blocked == [bob])
        try revoke(since: stolen)
        #expect(house.cores[Self.desk].isBlocked(bob))
    }

    @Test mutating func `nobody waits for somebody who was removed and stays connected`() throws {
        let others = [Self.bob, Self.carol].map { house.cores[$0].me }
        let crew = try house.cores[Self.desk].createGroup(name: "Crew", members: others, at: house.moment)
        house.run()
        try house.cores[Self.desk].remove(house.cores[Self.bob].me, from: crew, at: house.moment)
        house.run(for: .seconds(60))
        try #require(house.areConnected(Self.desk, Self.bob))
        #expect(house.cores[Self.desk].replicator.status(of: crew).state == .synced)
        try revoke(since: stolen)
        #expect(house.cores[laptop].isTakenOut)
    }

    @Test mutating func `what would be lost is told before, and nothing is done`() throws {
        let losses = try house.cores[Self.desk].losses(byRevoking: lost, stolenAt: stolen)
        #expect(losses.messages == 1 && losses.decisions == 1)
        #expect(losses.conversations >= 1 && !losses.isBehind)
        let none = try house.cores[Self.desk].losses(byRevoking: lost, stolenAt: nil)
        #expect(none.messages == 0 && none.decisions == 0)
        house.run()
        #expect(isMember(Self.carol, at: Self.bob) == false)
        #expect(house.areConnected(laptop, Self.desk))
    }

    @Test mutating func `a time before anything came here is refused, for all of it would count as later`() throws {
        let second = try house.link(to: Self.desk, withRoot: true)
        house.connect(second, Self.desk)
        house.run()
        let refused = #expect(throws: NodeError.self) {
            _ = try house.cores[second].losses(byRevoking: lost, stolenAt: stolen)
        }
        #expect(refused?.code == .invalidOperation)
        let losses = try house.cores[second].losses(byRevoking: lost, stolenAt: house.moment.wall)
        #expect(losses.messages == 0)
    }

    @Test mutating func `a thief who goes on apart, on old heads, is not heard by anybody`() throws {
        house.disconnect(Self.bob)
        house.disconnect(Self.desk)
        house.connect(laptop, Self.bob)
        house.run()
        try revoke(since: stolen)
        _ = try house.cores[laptop].send((1...20).map { "flood \($0)" }, to: group, at: house.moment)
        house.run()
        try #require(try house.texts(of: group, at: Self.bob).count == 22)
        house.connect(Self.desk, Self.bob)
        house.run()
        for core in [Self.desk, Self.bob] { #expect(try house.texts(of: group, at: core) == ["by Alice"]) }
        #expect(!house.areConnected(laptop, Self.bob))
    }

    @Test mutating func `a retirement becomes a revocation`() throws {
        try house.cores[Self.desk].retire(lost, at: house.moment)
        house.run()
        try #require(try house.texts(of: group, at: Self.bob) == ["by Alice", "by the thief"])
        try revoke(since: stolen)
        #expect(try house.texts(of: group, at: Self.bob) == ["by Alice"])
        #expect(house.cores[Self.bob].contacts[house.cores[Self.desk].me].tombstones[lost]?.kind == .revoked)
    }

    @Test mutating func `a conversation of two is cut as well`() throws {
        let direct = try house.cores[Self.bob].openDirect(with: house.cores[Self.desk].me, at: house.moment)
        _ = try house.cores[Self.bob].send(["hello"], to: direct, at: house.moment)
        house.run()
        _ = try house.cores[laptop].send(["by the thief"], to: direct, at: house.moment)
        house.run()
        try #require(try house.texts(of: direct, at: Self.bob) == ["hello", "by the thief"])
        try revoke(since: stolen)
        #expect(try house.texts(of: direct, at: Self.bob) == ["hello"])
        #expect(try house.texts(of: direct, at: Self.desk) == ["hello"])
    }

    // MARK: - What is not shown

    /// How much of the device a node withholds.
    private func withheld(at core: Int, of conversation: ConversationID? = nil) throws -> Int {
        try house.disks[core].withheld(of: lost, in: conversation ?? group).count
    }

    @Test mutating func `what does not count is withheld, and no gap is in its place`() throws {
        try revoke(since: stolen)
        for core in [Self.desk, Self.bob] {
            #expect(try withheld(at: core) == 1)
            #expect(try house.cores[core].withheld(in: group).count == 1)
            #expect(house.cores[core].replicas[group]?.wanted.isEmpty == true)
            #expect(house.cores[core].missingOperations(in: group).isEmpty)
        }
    }

    @Test mutating func `what comes later is withheld, and nobody is told of it`() throws {
        house.disconnect(Self.desk)
        try revoke(since: stolen)
        // Bob hears the thief, and does not know yet that they are one.
        house.connect(laptop, Self.bob)
        _ = try house.cores[laptop].send(["one more", "and one"], to: group, at: house.moment)
        house.run()
        house.disconnect(laptop)
        try #require(try house.texts(of: group, at: Self.bob).count == 4)
        house.shown = []
        house.connect(Self.desk, Self.bob)
        house.run()
        for core in [Self.desk, Self.bob] {
            #expect(try withheld(at: core) == 3)
            #expect(try house.texts(of: group, at: core) == ["by Alice"])
        }
        for (core, event) in house.shown where core == Self.desk {
            guard case .committed(let admitted, let conversation, _) = event, conversation == group else { continue }
            #expect(!admitted.contains { $0.operation.author.id == lost && $0.operation.header.type.isClosed })
        }
    }

    @Test mutating func `what somebody else's statement names is shown again`() throws {
        let root = try #require(house.cores[Self.desk].keys.root)
        let log = try #require(house.cores[Self.desk].replicas[group]?.log)
        let tips = log.contentFrontier.tips[lost]?.map(\.id) ?? []
        try house.cores[Self.bob].write(
            [.revoke(DeviceRevocation(root: root, of: lost, in: group, keeping: [], []))], in: group)
        house.run()
        #expect(try withheld(at: Self.desk) == 2)
        try house.cores[Self.bob].write(
            [.revoke(DeviceRevocation(root: root, of: lost, in: group, keeping: [], tips))], in: group)
        house.run()
        for core in [Self.desk, Self.bob] {
            #expect(try withheld(at: core) == 0)
            #expect(try house.texts(of: group, at: core) == ["by Alice", "by the thief"])
        }
    }

    @Test mutating func `whoever comes later hears the same, though the statement comes before what it names`() throws {
        try revoke(since: stolen)
        house.connect(Self.carol, Self.bob)
        house.run()
        #expect(try house.texts(of: group, at: Self.carol) == ["by Alice"])
        #expect(try withheld(at: Self.carol) == 1)
        #expect(house.cores[Self.carol].replicas[group]?.wanted.isEmpty == true)
    }

    @Test mutating func `an edit or a deletion by the thief has no effect`() throws {
        let message = try #require(
            house.disks[Self.bob].image.operations(of: group, lane: .content).first { $0.header.type == .message })
        try house.cores[laptop].edit(message.id, of: group, to: "forged", at: house.moment)
        try house.cores[laptop].react(to: message.id, of: group, with: "👍", isPresent: true, at: house.moment)
        house.run()
        try #require(try house.texts(of: group, at: Self.bob).contains("forged"))
        try revoke(since: stolen)
        for core in [Self.desk, Self.bob] {
            #expect(try house.texts(of: group, at: core) == ["by Alice"])
            let state = try house.cores[core].open([message], in: group)[message.id]?.state
            #expect(state?.reactions.isEmpty == true)
        }
    }

    @Test mutating func `a node that ended before it had settled it does so at its start`() throws {
        try revoke(since: stolen)
        try house.disks[Self.bob].withhold(
            [], showing: try house.disks[Self.bob].withheld(of: lost, in: group).map(\.id), in: group)
        try #require(try withheld(at: Self.bob) == 0)
        try house.restart(Self.bob)
        #expect(try withheld(at: Self.bob) == 1)
    }

    // MARK: - Conversations that come later

    private func revocations(of conversation: ConversationID, at core: Int) -> [OperationID]? {
        house.cores[core].replicas[conversation]?.group
            .countingRevocations(of: lost, of: house.cores[Self.desk].me)
    }

    @Test mutating func `a conversation that comes after the revocation is cut, too`() throws {
        house.disconnect(Self.desk)
        house.run()
        let late = try house.cores[laptop].createGroup(
            name: "Late", members: [Self.bob, Self.carol].map { house.cores[$0].me }, at: house.moment)
        _ = try house.cores[laptop].send(["by the thief"], to: late, at: house.moment)
        house.run()
        try #require(try house.texts(of: late, at: Self.bob) == ["by the thief"])
        try revoke(since: stolen, isForced: true)
        try #require(house.cores[Self.desk].replicas[late] == nil)
        house.connect(Self.desk, Self.bob)
        house.run()
        for core in [Self.desk, Self.bob] {
            #expect(revocations(of: late, at: core)?.count == 1)
            #expect(try house.texts(of: late, at: core).isEmpty)
        }
    }

    @Test mutating func `a conversation that was here before is left to its user`() throws {
        let other = try house.cores[Self.desk].createGroup(
            name: "Other", members: [Self.bob, Self.carol].map { house.cores[$0].me }, at: house.moment)
        house.run()
        let root = try #require(house.cores[Self.desk].keys.root)
        try house.cores[Self.bob].write(
            [.revoke(DeviceRevocation(root: root, of: lost, in: group, keeping: [], []))], in: group)
        house.run()
        _ = try house.cores[Self.bob].send(["hello"], to: other, at: house.moment)
        house.run()
        try house.restart(Self.desk)
        #expect(revocations(of: other, at: Self.desk) == [])
    }

    @Test mutating func `open codes of the user end`() throws {
        _ = try house.cores[Self.desk].makeCode(for: group, lasting: 3_600, at: house.moment)
        house.run()
        try revoke(since: nil)
        let codes = house.cores[Self.bob].replicas[group]?.group.codes(of: house.cores[Self.desk].me)
        #expect(codes?.count == 1 && codes?.first?.state != .open)
    }

    @Test mutating func `a statement for another conversation, or with other pins, is inadmissible`() throws {
        let root = try #require(house.cores[Self.desk].keys.root)
        let replica = try #require(house.cores[Self.bob].replicas[group])
        let elsewhere = ConversationID(directBetween: house.cores[Self.desk].me, and: house.cores[Self.bob].me)
        let foreign = DeviceRevocation(root: root, of: lost, in: elsewhere, keeping: [], [])
        var log = replica.log
        let written = try? log.write(
            membership: [MembershipBody.revoke(foreign).draft], by: house.cores[Self.bob].keys.author,
            at: house.moment.wall)
        #expect(written == nil)
        #expect(!foreign.isSigned(for: group) && foreign.isSigned(for: elsewhere))
    }

    @Test mutating func `any member may carry the statement, and it says no more by that`() throws {
        let root = try #require(house.cores[Self.desk].keys.root)
        let statement = DeviceRevocation(root: root, of: lost, in: group, keeping: [], [])
        try house.cores[Self.bob].write([.revoke(statement)], in: group)
        house.run()
        for core in [Self.desk, Self.bob] {
            #expect(try house.texts(of: group, at: core).isEmpty)
            #expect(isMember(Self.carol, at: core) == true)
        }
        #expect(!house.cores[Self.desk].certifiedDevices.contains { $0.device.id == lost })
    }
}
