import Conversations
import NodeCore
import OperationLog
import Replication
import Testing

@testable import Simulation

/// Liars who attack sizes, counts and timeouts do what they are to do: one that does nothing would find nothing.
@Suite("A siege")
struct SiegeTests {
    /// A world of a group with a liar in it, who does one thing, and then some messages.
    private func world(_ kind: Step.Kind, value: Int = 1, other: Int = 1, until end: Int = 6_000) -> World {
        var plan = Plan(seed: 3, profile: .byzantine, nodes: 4, operations: 1)
        plan.liars = [0]
        plan.end = end
        plan.steps = [
            Step(at: 1_500, host: 1, kind: .create, conversation: 0, other: 1, value: 4),
            Step(at: 2_500, host: 1, kind: .send, conversation: 0, other: 1, value: 2),
            Step(at: 2_600, host: 0, kind: .send, conversation: 0, other: 1, value: 2),
            Step(at: 3_000, host: 0, kind: kind, conversation: 0, other: other, value: value),
        ]
        return World(plan)
    }

    /// What an honest host holds of a lane when the world has run.
    private func held(_ lane: Lane, in world: World) throws -> [Operation] {
        _ = world.run()
        let conversation = try #require(world.conversations.first)
        return world.hosts[1].disk.image.operations(of: conversation, lane: lane)
    }

    @Test
    func `of records that are issued again brings many chains`() throws {
        let devices = Set(try held(.membership, in: world(.reissue, value: 9)).map(\.author.id))
        #expect(devices.count >= 70)
    }

    @Test
    func `of keys brings complaints, whether they open or not`() throws {
        for value in [6, 7, 8] {
            let types = try held(.content, in: world(.falsifyKeys, value: value)).map(\.header.type)
            #expect(types.count { $0 == .epoch } > value)
            #expect(types.count { $0 == .complaint } > value)
        }
    }

    @Test
    func `by somebody who is out begins with their leave`() throws {
        for kind in [Step.Kind.linger, .usurp] {
            let world = world(kind)
            _ = try held(.membership, in: world)
            let replica = try #require(world.hosts[1].core?.replicas.values.first { !$0.isDirect })
            #expect(!replica.group.isMember(world.hosts[0].user))
        }
    }

    @Test
    func `by strangers reaches a node that does not know them, and tells them nothing`() {
        let world = world(.intrude, value: 3, other: 3)
        let outcome = world.run()
        #expect(outcome.tally.checks[Invariant.strangers.rawValue, default: 0] > 0)
        #expect(outcome.violations.isEmpty)
    }

    @Test(arguments: 0..<8)
    func `by somebody who is silent gives one member what the others get when it is over`(value: Int) throws {
        let world = world(.silence, value: value, until: 9_000)
        world.run(until: 8_000_000)
        let conversation = try #require(world.conversations.first)
        let known = Set(world.hosts.map(\.device))
        let share = { (index: Int) in
            world.hosts[index].disk.image.operations(of: conversation, lane: .content)
                .filter { !known.contains($0.author.id) }
        }
        let confidant = try #require(world.hosts[0].silencing).confidant
        let least = [30, 100, 30, 200][value % 4]
        #expect(share(confidant).count > least)
        #expect(Set(share(confidant).map(\.author.id)).count == IdentityRecord.maximumDevices - 1)
        _ = world.run()
        for index in 1..<4 { #expect(share(index).count == share(confidant).count) }
    }

    @Test
    func `makes nodes need time for what comes, and elsewhere they need none`() {
        #expect(world(.linger).hasQueues)
        #expect(!World(Plan(seed: 1, profile: .calm, nodes: 4, operations: 20)).hasQueues)
    }

    @Test
    func `of one kind is all that liars do of it, where that is asked for`() {
        let plan = Plan(seed: 4, profile: .byzantine, nodes: 6, operations: 800, siege: .branch)
        #expect(Set(plan.steps.map(\.kind).filter(\.isSiege)) == [.branch])
        #expect(plan.steps.count { $0.kind == .branch } == 4)
    }

    @Test
    func `leaves all else in a plan as it would be without`() {
        let one = Plan(seed: 4, profile: .soak, nodes: 6, operations: 400, siege: .branch)
        let two = Plan(seed: 4, profile: .soak, nodes: 6, operations: 400, siege: .pester)
        #expect(one.steps.filter { !$0.kind.isSiege } == two.steps.filter { !$0.kind.isSiege })
    }
}
