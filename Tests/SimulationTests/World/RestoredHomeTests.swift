import Conversations
import OperationLog
import Storage
import Testing
import Time

@testable import NodeCore
@testable import Simulation

/// Bob backs up, writes, loses the disk and restores the backup: others show what Bob wrote before anything gets its number.
@Suite("A restored home")
struct RestoredHomeTests {
    private func step(_ at: Int, _ host: Int, _ kind: Step.Kind, other: Int = 0, value: Int = 1) -> Step {
        Step(at: at, host: host, kind: kind, conversation: 1, other: other, value: value)
    }

    /// Everything up to the restored home, and what comes then.
    private func run(seed: UInt64, then steps: [Step]) throws -> World {
        var plan = Plan(seed: seed, profile: .calm, nodes: 3, operations: 0)
        plan.steps =
            [
                step(3_000, 0, .create, value: 2), step(5_000, 1, .send), step(6_000, 1, .backUp),
                step(7_000, 1, .send), step(7_100, 1, .send), step(8_000, 1, .restore, value: 2),
            ] + steps
        plan.end = 16_000
        let world = World(plan)
        try #require(world.run().violations.isEmpty)
        return world
    }

    /// How many operations of content a host holds, of chains that nobody forked.
    private func contentCount(of host: Host, in world: World) throws -> Int {
        let conversation = try #require(world.conversations.first)
        let replica = try #require(host.core?.replicas[conversation])
        #expect(!replica.log.contentFrontier.hasForks, "\(host.name)")
        return replica.contentCount
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `uses no number twice, however early its user writes`(seed: UInt64) throws {
        // Every tenth of a second from the start on: some are refused, and none forks.
        let early = (0..<30).map { step(8_000 + 100 * $0, 1, .send) }
        let world = try run(seed: seed, then: early)
        #expect(world.tally.faults["confirmed home"] == 1)
        #expect(world.tally.faults["copied home"] == nil)
        let counts = try world.hosts.map { try contentCount(of: $0, in: world) }
        #expect(Set(counts).count == 1, "\(counts)")
    }

    @Test func `waits as long as nobody is there, and writes once its user says so`() throws {
        let world = try run(seed: 1, then: [])
        let bob = world.hosts[1]
        let moment = bob.moment(at: world.now)
        let conversation = try #require(world.conversations.first)
        var core = try NodeCore(
            keys: bob.keys, storage: bob.disk, blobs: bob.disk, names: [bob.name], deviceName: "host",
            staticPeers: [], random: SeededRandom(seed: 9), at: moment)
        core.noteRestoration(isConfirmed: false)
        try core.start(onPort: 1, discovers: false, at: moment)
        let isRestored = core.isRestored
        #expect(isRestored)
        #expect(throws: NodeError.homeRestored) { try core.send(["hello"], to: conversation, at: moment) }
        #expect(throws: NodeError.homeRestored) { try core.setProfile(name: "Robert", at: moment) }
        _ = core.takeEffects()
        try core.continueAsOnlyCopy(at: moment)
        let isConfirmed = core.takeEffects().contains { if case .confirmHome = $0 { true } else { false } }
        #expect(isConfirmed)
        _ = try core.send(["hello"], to: conversation, at: moment)
    }

    @Test func `takes what it wrote in a conversation that the backup did not have, and is no copy for it`() throws {
        // The backup is older than the group: at the first start there is nothing to wait for.
        var plan = Plan(seed: 3, profile: .calm, nodes: 3, operations: 0)
        plan.steps = [
            step(3_000, 1, .backUp), step(4_000, 0, .create, value: 2), step(6_000, 1, .send), step(6_500, 1, .send),
            step(8_000, 1, .restore, value: 2), step(14_000, 1, .send),
        ]
        plan.end = 20_000
        let world = World(plan)
        try #require(world.run().violations.isEmpty)
        #expect(world.tally.faults["copied home"] == nil)
        let counts = try world.hosts.map { try contentCount(of: $0, in: world) }
        #expect(Set(counts).count == 1, "\(counts)")
    }

    @Test func `has nothing to wait for where it shares nothing`() throws {
        var plan = Plan(seed: 1, profile: .calm, nodes: 3, operations: 0)
        plan.steps = []
        plan.end = 1_000
        let world = World(plan)
        try #require(world.run().violations.isEmpty)
        let bob = world.hosts[1]
        var core = try NodeCore(
            keys: bob.keys, storage: bob.disk, blobs: bob.disk, names: [bob.name], deviceName: "host",
            staticPeers: [], random: SeededRandom(seed: 9), at: bob.moment(at: world.now))
        core.noteRestoration(isConfirmed: false)
        let isRestored = core.isRestored
        #expect(!isRestored)
        let isConfirmed = core.takeEffects().contains { if case .confirmHome = $0 { true } else { false } }
        #expect(isConfirmed)
    }
}
