import Foundation
import Membership
import Testing

/// Random graphs of liars and latecomers, and of people who play by the rules in parts of a network: 20,000 with fixed
/// seeds and 2,000 with fresh ones on every run of the tests.
@Suite("Whatever the liars write")
struct GraphFuzzing {
    /// Graphs judged by one test case.
    private static let batch: UInt64 = 500
    private static let fixed = (0..<40 as Range<UInt64>).map { $0 * batch }
    /// `MOOT_TEST_SEED` repeats a run.
    private static let freshSeed =
        ProcessInfo.processInfo.environment["MOOT_TEST_SEED"].flatMap { UInt64($0) } ?? .random(in: .min ... .max)
    private static let fresh = (0..<4 as Range<UInt64>).map { freshSeed &<< 32 &+ 1 << 31 &+ $0 * batch }

    @Test(arguments: fixed + fresh)
    func `the laws of membership hold`(first: UInt64) {
        for seed in first..<first + Self.batch {
            let graph = FuzzedGraph(seed: seed)
            let laws = seed.isMultiple(of: 8) ? Law.allCases : Law.essential
            func trouble(_ operations: [Ledger.Operation]) -> String? {
                Trial(operations, capacity: graph.capacity, seed: seed).trouble(under: laws)
            }
            guard let found = trouble(graph.operations) else { continue }
            let smallest = Shrinking.smallest(of: graph.operations) { trouble($0) != nil }
            let line = ScenarioLine(label: "seed \(seed)", capacity: graph.capacity, operations: smallest)
            Issue.record("seed \(seed) (MOOT_TEST_SEED=\(Self.freshSeed)): \(found)\n\(line)")
            return
        }
    }
}
