import Foundation
import Membership
import OperationLogFixtures
import Testing

/// Random graphs of liars and latecomers: 20,000 with fixed seeds and 2,000 with fresh ones on every run of the tests.
@Suite("Whatever the liars write")
struct GraphFuzzing {
    /// Graphs judged by one test case.
    private static let batch: UInt64 = 500
    private static let fixed = (0..<40 as Range<UInt64>).map { $0 * batch }
    /// `MOOT_TEST_SEED` chooses graphs that no run had before; every failure prints the seed of its graph.
    private static let fresh: [UInt64] = {
        let seed = ProcessInfo.processInfo.environment["MOOT_TEST_SEED"].flatMap { UInt64($0) } ?? 0
        return (0..<4 as Range<UInt64>).map { (seed &+ 1) << 32 &+ $0 * batch }
    }()

    @Test(arguments: fixed + fresh)
    func `order is irrelevant, incremental equals full, and no verdict of higher rank changes`(first: UInt64) {
        for seed in first..<first + Self.batch {
            let graph = RandomGraph(seed: seed)
            if let trouble = Self.trouble(graph.operations, seed: seed) ?? Self.interference(graph) {
                let smallest = Shrinking.smallest(of: graph.operations) { Self.trouble($0, seed: seed) != nil }
                Issue.record("seed \(seed): \(trouble)\n\(Shrinking.listing(smallest))")
                return
            }
        }
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `after every single operation incremental equals full`(first: UInt64) {
        for seed in first * 25..<first * 25 + 25 {
            let operations = RandomGraph(seed: seed).operations
            var resolver = MembershipResolver<String, String>(capacity: 5, tieKey: Judgement.tieKey)
            for count in 1...operations.count {
                #expect(resolver.insert(operations[count - 1]) == .inserted)
                let begun = Array(operations.prefix(count))
                #expect(Judgement(resolver, of: begun) == .full(begun), "seed \(seed), the first \(count)")
            }
        }
    }

    @Test
    func `the graphs break every rule and often overturn a verdict`() {
        var broken: Set<Rule> = []
        var overturned = 0
        for seed in 0..<3_000 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            let operations = Shrinking.reordered(RandomGraph(seed: seed).operations, using: &random)
            var resolver = MembershipResolver<String, String>(capacity: 5, tieKey: Judgement.tieKey)
            var void: Set<String> = []
            for operation in operations {
                resolver.insert(operation)
                let now = Set(resolver.void)
                if now.subtracting([operation.id]) != void { overturned += 1 }
                void = now
            }
            broken.formUnion(operations.compactMap { resolver.verdict(of: $0.id)?.objection?.rule })
        }
        // They are founded once; a second founding is told among the stories.
        #expect(broken == Set(Rule.allCases).subtracting([.notTheRoot]))
        #expect(overturned > 250)
    }

    /// What is wrong with how a graph is judged.
    private static func trouble(_ operations: [RandomGraph.Operation], seed: UInt64) -> String? {
        let judgement = Judgement.incremental(operations)
        guard judgement == .full(operations) else { return "the incremental evaluation differs from the full one" }
        var random = SplitMix64(seed: ~seed)
        guard judgement == .incremental(Shrinking.reordered(operations, using: &random)) else {
            return "the order of arrival decides"
        }
        return judgement.contradiction
    }

    /// Whether an operation changed the verdict of one that it does not outrank.
    private static func interference(_ graph: RandomGraph) -> String? {
        let ranks = graph.operations.indices.map { IndependentRank(of: $0, in: graph) }
        var resolver = MembershipResolver<String, String>(capacity: 5, tieKey: Judgement.tieKey)
        var effective: [Bool] = []
        for (number, operation) in graph.operations.enumerated() {
            resolver.insert(operation)
            for earlier in effective.indices {
                let now = resolver.verdict(of: graph.operations[earlier].id) == .effective
                guard now != effective[earlier] else { continue }
                effective[earlier] = now
                if case .decline = operation.action { continue }
                guard let rank = ranks[number], let other = ranks[earlier], other < rank else {
                    return "operation \(number) changed the verdict on operation \(earlier), which it does not outrank"
                }
            }
            effective.append(resolver.verdict(of: operation.id) == .effective)
        }
        return nil
    }
}
