import Replication
import Simulation
import Testing

/// Groups of every size keep every invariant, and a message costs as much for each of its receivers in all of them.
///
/// How large the groups are is what these runs are about, so few things happen in them.
@Suite("A crowd")
struct CrowdTests {
    /// Every run of the tests tries these; `moot-sim crowd` goes up to 256.
    static let sizes = [4, 8, 16, 32]

    @Test(arguments: sizes)
    func `keeps every invariant while nothing goes wrong`(nodes: Int) {
        let outcome = World(Plan(seed: 1, profile: .calm, nodes: nodes, operations: 60)).run()
        #expect(outcome.violations.isEmpty)
        #expect(outcome.tally.deliveries > outcome.tally.written)
        // Fewer say nothing of what an operation costs.
        #expect(nodes < 16 || outcome.tally.deliveries > 500)
    }

    @Test(arguments: sizes)
    func `pays for each receiver of a message, not for each pair`(nodes: Int) {
        let messages = 40
        // Few write much: of an author who writes once every reader says once that it came, which is not what is
        // counted here.
        let outcome = World(Plan(crowdOf: nodes, messages: messages, writers: 4, seed: 1)).run()
        #expect(outcome.violations.isEmpty)
        #expect(TrafficBounds().excesses(of: outcome).isEmpty)
        #expect(outcome.tally.delays.messages == messages)
        #expect(outcome.tally.delays.incomplete(among: nodes) == 0)
    }

    @Test(arguments: [16, 32], [100, 300, 900])
    func `pays hardly more where what is sent takes so long that others overtake it`(nodes: Int, slowness: Int) throws {
        let plan = Plan(crowdOf: nodes, messages: 60, seed: 1)
        let outcome = World(plan, slowness: slowness).run()
        #expect(outcome.violations.isEmpty)
        #expect(outcome.tally.delays.incomplete(among: nodes) == 0)
        // Above the share of receipts, of which each of many authors gets one from everybody.
        let cost = try #require(outcome.tally.traffic.writing).messagesPerOperation
        #expect(cost <= 2.4 * Double(nodes - 1), "\(cost)")
    }

    @Test
    func `gives up nobody who has so much to do that every answer takes seconds`() throws {
        let outcome = World(Plan(crowdOf: 16, messages: 60, seed: 1), slowness: 5_000).run()
        #expect(outcome.violations.isEmpty)
        #expect(outcome.tally.delays.incomplete(among: 16) == 0)
        let kinds = Set(try #require(outcome.tally.traffic.writing).traffic.counts.keys.map(\.description))
        #expect(kinds.contains("ping") && kinds.isDisjoint(with: ["unreachable", "hello"]), "\(kinds)")
    }

    @Test(arguments: sizes)
    func `has its messages everywhere although connections are lost`(nodes: Int) throws {
        let outcome = World(Plan(crowdOf: nodes, messages: 20, loss: 0.1, seed: 1)).run()
        #expect(outcome.violations.isEmpty)
        #expect(outcome.tally.delays.messages == 20)
        #expect(outcome.tally.delays.incomplete(among: nodes) == 0)
        #expect(outcome.tally.faults["reset", default: 0] > 0)
        // Who comes back says who they are and what both share, and not where everybody is.
        let meetings = try #require(outcome.tally.traffic.writing).traffic.total(of: [.acquaintance]).messages
        #expect(meetings <= 8 * outcome.tally.faults["reset", default: 0])
        let slow = outcome.tally.delays.milliseconds(ofShare: 0.99)
        #expect(slow <= TrafficBounds().slowestPercentMilliseconds)
    }

    @Test(arguments: [10])
    func `becomes equal although the network falls apart, nodes crash and others lie`(nodes: Int) {
        let plan = Plan(troubledCrowdOf: nodes, messages: 40, loss: 0.01, seed: 1)
        #expect(plan.liars.count == nodes / 10)
        #expect(!plan.isFaultless)
        #expect(plan.steps.contains { $0.kind == .isolate })
        let outcome = World(plan).run()
        #expect(outcome.violations.isEmpty)
        #expect(outcome.tally.faults["isolate"] == 1)
    }

    @Test
    func `that costs more than it may is told what grew`() throws {
        let outcome = World(Plan(crowdOf: 3, messages: 5, seed: 1)).run()
        var bounds = TrafficBounds()
        bounds.messagesPerReceiver = 0
        let excess = try #require(bounds.excesses(of: outcome).first { $0.contains("messages for each operation") })
        #expect(excess.contains("at most 0.0"))
        #expect(excess.contains("batch of content"))
    }
}
