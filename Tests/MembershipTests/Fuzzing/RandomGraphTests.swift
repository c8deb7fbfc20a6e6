import Membership
import Testing

/// A law that is tried by graphs in which nothing happens says nothing.
@Suite("What random graphs are made of")
struct RandomGraphTests {
    private static let trials = (0..<800 as Range<UInt64>).map { seed in
        let graph = RandomGraph(seed: seed)
        return Trial(graph.operations, capacity: graph.capacity, seed: seed)
    }

    @Test func `a graph is the same for the same seed`() {
        #expect(RandomGraph(seed: 7).operations == RandomGraph(seed: 7).operations)
        #expect(RandomGraph(seed: 7).operations != RandomGraph(seed: 8).operations)
    }

    @Test(arguments: Rule.allCases)
    func `every rule is broken now and then`(rule: Rule) {
        let breaches = Self.trials.filter { trial in
            trial.judgement.verdicts.contains { $0?.objection?.rule == rule }
        }
        #expect(breaches.count >= 3)
    }

    @Test func `about half of what is written counts`() {
        let verdicts = Self.trials.flatMap(\.judgement.verdicts)
        let effective = verdicts.count { $0 == .effective }
        #expect((verdicts.count / 3...verdicts.count * 2 / 3).contains(effective))
    }

    @Test func `many verdicts change when something arrives late`() {
        let changes = Self.trials.flatMap(\.changed).reduce(0) { $0 + $1.count }
        #expect(changes > 200)
    }

    @Test func `some groups have nobody but an acting admin, some a waitlist, some registers`() {
        let states = Self.trials.map(\.judgement.state)
        #expect(states.count { $0.actingAdmin != nil } > 40)
        #expect(states.count { !$0.waitlist.isEmpty } > 40)
        #expect(states.count { $0.registers.count > 1 } > 15)
    }
}
