import Conversations
import Membership
import OperationLog
import Testing
import Time

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// Alice founded a group with Bob, who became admin, and Carol, who is away; Dave is in no group yet.
@Suite("Removing a person with what they did")
struct TakingBackTests {
    private var house: Household
    private let group: ConversationID
    private let begin: Timestamp
    private static let (alice, bob, carol, dave) = (Household.desk, Household.bob, Household.carol, 3)

    init() throws {
        var house = try Household(others: ["Dave"])
        for one in [Self.alice, Self.bob] {
            for other in [Self.carol, Self.dave] {
                _ = house.cores[one].contacts.learn(house.cores[other].ownCredentials)
            }
        }
        house.connect(Self.alice, Self.bob)
        house.run(for: .seconds(1))
        group = try house.cores[Self.alice].createGroup(
            name: "Ship", members: [Self.bob, Self.carol].map { house.cores[$0].me }, at: house.moment)
        house.run()
        try house.cores[Self.alice].setRole(of: house.cores[Self.bob].me, in: group, to: .admin, at: house.moment)
        house.run()
        _ = try house.cores[Self.bob].send(["before"], to: group, at: house.moment)
        house.run()
        begin = house.moment.wall
        house.run(for: .seconds(10))
        self.house = house
    }

    private func user(_ core: Int) -> UserID { house.cores[core].me }

    private func isMember(_ person: Int, at core: Int) -> Bool? {
        house.cores[core].replicas[group]?.group.isMember(user(person))
    }

    /// What Bob regrets.
    private mutating func misbehave() throws {
        _ = try house.cores[Self.bob].send(["after"], to: group, at: house.moment)
        try house.cores[Self.bob].remove(user(Self.carol), from: group, at: house.moment)
        try house.cores[Self.bob].add([user(Self.dave)], to: group, at: house.moment)
        try house.cores[Self.bob].set(name: "Mine", description: nil, of: group, at: house.moment)
        house.run()
    }

    private func refusal(since moment: Timestamp, by core: Int = alice, of person: Int = bob) -> NodeError.Code? {
        do throws(NodeError) {
            _ = try house.cores[core].losses(byRemoving: user(person), from: group, since: moment)
            return nil
        } catch {
            return error.code
        }
    }

    /// The messages of the group that do not count at a node.
    private func cutOff(at core: Int) throws -> Int {
        let replica = try #require(house.cores[core].replicas[group])
        let log = replica.log
        var group = replica.group
        let content = house.disks[core].image.operations(of: self.group, lane: .content)
        let headers = Dictionary(content.map { ($0.id, $0.header) }) { first, _ in first }
        var branches = PinnedBranches()
        return content.count { message in
            message.header.type == .message
                && group.cutOff(message, in: log.membership) { pin in
                    branches.isCovered(pin, message, in: log.contentFrontier) { headers[$0] }
                } != nil
        }
    }

    @Test mutating func `what they did since is void everywhere, and what they wrote since is cut off`() throws {
        try misbehave()
        try #require(isMember(Self.carol, at: Self.alice) == false && isMember(Self.dave, at: Self.alice) == true)
        try house.cores[Self.alice].remove(user(Self.bob), from: group, since: begin, at: house.moment)
        house.run()
        for core in [Self.alice, Self.bob] {
            #expect(isMember(Self.bob, at: core) == false)
            #expect(isMember(Self.carol, at: core) == true && isMember(Self.dave, at: core) == false)
            #expect(house.cores[core].replicas[group]?.group.name == "Ship")
            #expect(try cutOff(at: core) == 1)
            #expect(try house.texts(of: group, at: core) == ["before", "after"])
        }
        _ = try house.cores[Self.alice].send(["go on"], to: group, at: house.moment)
        house.connect(Self.alice, Self.carol)
        house.run()
        #expect(isMember(Self.bob, at: Self.carol) == false && isMember(Self.carol, at: Self.carol) == true)
        #expect(try house.texts(of: group, at: Self.carol).contains("go on"))
    }

    @Test mutating func `the losses are told before, and nothing is done`() throws {
        try misbehave()
        let losses = try house.cores[Self.alice].losses(byRemoving: user(Self.bob), from: group, since: begin)
        #expect(losses.decisions == 3 && losses.messages == 1 && losses.kept == 0)
        #expect(losses.leaving == [user(Self.dave)] && losses.returning == [user(Self.carol)])
        house.run()
        #expect(isMember(Self.bob, at: Self.alice) == true && isMember(Self.dave, at: Self.alice) == true)
    }

    @Test mutating func `what this device has decided on top of it stays`() throws {
        try misbehave()
        try house.cores[Self.alice].set(name: "Ours", description: nil, of: group, at: house.moment)
        #expect(refusal(since: begin) == nil, "the message falls nevertheless")
        let losses = try house.cores[Self.alice].losses(byRemoving: user(Self.bob), from: group, since: begin)
        #expect(losses.decisions == 0 && losses.messages == 1 && losses.kept == 3)
        try house.cores[Self.alice].remove(user(Self.bob), from: group, since: begin, at: house.moment)
        #expect(isMember(Self.bob, at: Self.alice) == false && isMember(Self.dave, at: Self.alice) == true)
    }

    @Test mutating func `a time before they came means all that they ever did`() throws {
        try misbehave()
        let start = Timestamp(clamping: 1_700_000_000_000)
        let losses = try house.cores[Self.alice].losses(byRemoving: user(Self.bob), from: group, since: start)
        #expect(losses.decisions == 3 && losses.messages == 2)
        try house.cores[Self.alice].remove(user(Self.bob), from: group, since: start, at: house.moment)
        #expect(isMember(Self.bob, at: Self.alice) == false && isMember(Self.carol, at: Self.alice) == true)
    }

    @Test mutating func `where this device has answered that they left, what they did stays`() throws {
        try misbehave()
        try house.cores[Self.bob].leave(group, at: house.moment)
        house.run()
        try #require(house.cores[Self.alice].replicas[group]?.group.history.last?.body?.type == .ratify)
        #expect(refusal(since: begin) == .invalidOperation)
    }

    @Test mutating func `somebody who is out already is taken out with what they did`() throws {
        house.disconnect(Self.alice)
        let dave = user(Self.dave)
        let laptop = try house.link(to: Self.alice)
        house.connect(laptop, Self.alice)
        house.run()
        house.disconnect(Self.alice)
        house.connect(laptop, Self.bob)
        house.run()
        try misbehave()
        let later = house.moment.wall
        try house.cores[laptop].remove(user(Self.bob), from: group, at: house.moment)
        try #require(isMember(Self.bob, at: laptop) == false && isMember(Self.dave, at: laptop) == true)
        house.connect(Self.alice, laptop)
        house.run()
        let losses = try house.cores[Self.alice].losses(byRemoving: user(Self.bob), from: group, since: begin)
        #expect(losses.decisions == 3 && losses.leaving == [dave])
        #expect(refusal(since: later, by: laptop) == .alreadyRemoved)
        try house.cores[Self.alice].remove(user(Self.bob), from: group, since: begin, at: house.moment)
        house.run()
        for core in [Self.alice, laptop] {
            #expect(isMember(Self.dave, at: core) == false && isMember(Self.carol, at: core) == true)
        }
    }

    @Test mutating func `who may not, or has nothing to take back, is refused`() throws {
        #expect(refusal(since: begin) == .invalidOperation, "nothing since")
        try misbehave()
        #expect(refusal(since: begin, by: Self.bob, of: Self.alice) == .outranked)
        #expect(refusal(since: begin, of: Self.alice) == .invalidOperation, "oneself")
        #expect(refusal(since: house.moment.wall) == .invalidOperation, "nothing since")
        let start = Timestamp(clamping: 1_700_000_000_000)
        #expect(refusal(since: start, by: Self.bob, of: Self.dave) == .invalidOperation, "nothing came before")
        #expect(refusal(since: begin, of: Self.dave) == .invalidOperation, "they did nothing")
    }

    @Test mutating func `one member who would remain is said, as for any removal`() throws {
        try house.cores[Self.alice].remove(user(Self.carol), from: group, at: house.moment)
        house.run()
        let later = house.moment.wall
        house.run(for: .seconds(10))
        try house.cores[Self.bob].set(name: "Mine", description: nil, of: group, at: house.moment)
        house.run()
        let refused = #expect(throws: NodeError.self) {
            try house.cores[Self.alice].remove(user(Self.bob), from: group, since: later, at: house.moment)
        }
        #expect(refused?.code == .wouldArchive)
        try house.cores[Self.alice].remove(
            user(Self.bob), from: group, since: later, archive: true, at: house.moment)
        #expect(house.cores[Self.alice].replicas[group]?.group.isArchived == true)
        #expect(house.cores[Self.alice].replicas[group]?.group.name == "Ship")
    }
}
