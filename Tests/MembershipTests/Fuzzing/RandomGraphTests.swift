import Foundation
import Membership
import Testing

/// A law that is tried by graphs in which nothing happens says nothing.
@Suite("What random graphs are made of")
struct RandomGraphTests {
    private static let trials = (0..<800 as Range<UInt64>).map { seed in
        let graph = FuzzedGraph(seed: seed)
        return Trial(graph.operations, capacity: graph.capacity, seed: seed)
    }

    /// How often each rule is broken, in as many graphs as `MOOT_GRAPHS` says; 20,000 show the figures that are
    /// promised.
    private static let statistics: (graphs: Int, breaches: [Rule: Int]) = {
        let wanted = ProcessInfo.processInfo.environment["MOOT_GRAPHS"].flatMap { Int($0) } ?? trials.count
        var breaches: [Rule: Int] = [:]
        for seed in 0..<UInt64(wanted) {
            let graph = FuzzedGraph(seed: seed)
            let resolver = Trial.resolver(after: graph.operations, capacity: graph.capacity)
            for operation in graph.operations {
                if let rule = resolver.verdict(of: operation.id)?.voidReason?.rule { breaches[rule, default: 0] += 1 }
            }
        }
        return (wanted, breaches)
    }()

    @Test func `a graph is the same for the same seed`() {
        #expect(RandomGraph(seed: 7).operations == RandomGraph(seed: 7).operations)
        #expect(RandomGraph(seed: 7).operations != RandomGraph(seed: 8).operations)
    }

    @Test(arguments: Rule.allCases)
    func `every rule is broken 1,000 times in 20,000 graphs`(rule: Rule) {
        let (graphs, breaches) = Self.statistics
        // A few graphs may be unlucky; the more there are, the less luck matters.
        let expected = graphs >= 20_000 ? graphs / 20 : graphs / 40
        #expect(breaches[rule] ?? 0 >= expected, "\(rule.rawValue) in \(graphs) graphs")
    }

    @Test func `a played graph is the same for the same seed, and most of it counts`() {
        #expect(PlayedGraph(seed: 7).operations == PlayedGraph(seed: 7).operations)
        #expect(PlayedGraph(seed: 7).operations != PlayedGraph(seed: 8).operations)
        let played = Self.trials.filter { !$0.seed.isMultiple(of: 2) }.flatMap(\.judgment.verdicts)
        #expect(played.count { $0 == .effective } > played.count * 3 / 5)
    }

    @Test func `about half of what is written counts`() {
        let verdicts = Self.trials.flatMap(\.judgment.verdicts)
        let effective = verdicts.count { $0 == .effective }
        #expect((verdicts.count / 3...verdicts.count * 3 / 4).contains(effective))
    }

    @Test func `many verdicts change when something arrives late`() {
        let changes = Self.trials.flatMap(\.changed).reduce(0) { $0 + $1.count }
        #expect(changes > 200)
    }

    @Test func `some groups have nobody but an acting admin, some a waitlist, some registers`() {
        let states = Self.trials.map(\.judgment.state)
        #expect(states.count { $0.actingAdmin != nil } > 40)
        #expect(states.count { !$0.waitlist.isEmpty } > 40)
        #expect(states.count { $0.registers.count > 1 } > 15)
    }
}
