import Conversations
import OperationLog
import Storage
import Testing
import Time

@testable import NodeCore
@testable import Simulation

/// Bob's home is backed up, they write, and the backup is put in its place: Alice's node shows Bob what Bob wrote after
/// it was made.
@Suite("A copied home")
struct CopiedHomeTests {
    private let world: World
    private let bob: Host

    init() throws {
        func step(_ at: Int, _ host: Int, _ kind: Step.Kind, other: Int = 0, value: Int = 1) -> Step {
            Step(at: at, host: host, kind: kind, conversation: 1, other: other, value: value)
        }
        var plan = Plan(seed: 1, profile: .calm, nodes: 3, operations: 0)
        plan.steps = [
            step(3_000, 0, .create, value: 2), step(5_000, 1, .send), step(6_000, 1, .backUp), step(7_000, 1, .send),
            step(8_000, 1, .restore),
        ]
        plan.end = 9_000
        world = World(plan)
        bob = world.hosts[1]
        try #require(world.run().violations.isEmpty)
    }

    /// Bob's node as it is after it started anew, before anybody says that it is the only copy.
    private func stopped() throws -> NodeCore {
        let core = try #require(bob.core)
        let conversation = try #require(world.conversations.first)
        let later = try #require(core.replicas[conversation]?.log.contentFrontier.tips[bob.device]?.last?.id)
        try core.storage.save(copyEvidence: later)
        return try restarted(bob)
    }

    private func restarted(_ host: Host) throws -> NodeCore {
        try NodeCore(
            keys: host.keys, storage: host.disk, blobs: host.disk, names: [host.name], deviceName: "host",
            staticPeers: [], random: SeededRandom(seed: 9), at: host.moment(at: world.now))
    }

    @Test func `is noticed when somebody shows what the other copy wrote`() {
        #expect(world.tally.faults["copied home"] == 1)
    }

    @Test func `signs nothing more, also after a restart`() throws {
        var core = try stopped()
        let moment = bob.moment(at: world.now)
        let conversation = try #require(world.conversations.first)
        let before = core.replicas[conversation]?.digest
        #expect(core.isCopied)
        try core.start(onPort: 1, discovers: false, at: moment)
        #expect(throws: NodeError.homeCopied) { try core.send(["hello"], to: conversation, at: moment) }
        #expect(throws: NodeError.homeCopied) { try core.setProfile(name: "Robert", at: moment) }
        #expect(throws: NodeError.homeCopied) { try core.type(in: conversation, at: moment) }
        #expect(core.replicas[conversation]?.digest == before)
    }

    @Test func `does not wake again and again for a code that it cannot take back`() throws {
        let alice = world.hosts[0]
        let moment = alice.moment(at: world.now)
        let conversation = try #require(world.conversations.first)
        var core = try restarted(alice)
        let code = try core.makeCode(for: conversation, lasting: 1, at: moment).code
        try core.storage.save(copyEvidence: code.id)
        core = try restarted(alice)
        try core.start(onPort: 1, discovers: false, at: moment)

        let later = alice.moment(at: world.now + 2_000_000)
        core.handle(.tick, at: later)
        _ = core.takeEffects()
        core.handle(.tick, at: later)
        let wakes = core.takeEffects().compactMap { if case .wake(let moment) = $0 { moment } else { nil } }
        #expect(wakes.allSatisfy { $0 > later.monotonic }, "\(wakes)")
    }

    @Test func `writes on top of what the other copy wrote once its user says that it is the only one`() throws {
        var core = try stopped()
        let moment = bob.moment(at: world.now)
        let conversation = try #require(world.conversations.first)
        try core.continueAsOnlyCopy(at: moment)
        _ = try core.send(["hello"], to: conversation, at: moment)
        #expect(core.replicas[conversation]?.log.contentFrontier.tips[bob.device]?.count == 1, "no fork")
        #expect(try bob.disk.copyEvidence() == nil)
    }
}
