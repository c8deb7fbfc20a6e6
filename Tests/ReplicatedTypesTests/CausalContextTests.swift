import OperationLogFixtures
import ReplicatedTypes
import Testing

@Suite("Causal contexts")
struct CausalContextTests {
    /// A context with gaps, and the same events as a plain set.
    private struct Sample {
        var context = CausalContext<Int>()
        var events: Set<Dot<Int>> = []

        init(using random: inout SplitMix64) {
            for _ in 0..<Int.random(in: 0...25, using: &random) {
                let dot = Self.dots[Int.random(in: 0..<Self.dots.count, using: &random)]
                #expect(context.insert(dot) == events.insert(dot).inserted)
            }
        }

        static let dots = (0..<3).flatMap { replica in
            (1...12 as ClosedRange<UInt64>).map { Dot(replica: replica, counter: $0) }
        }

        /// Runs of numbers without a gap, counted the slow way.
        var runs: Int {
            events.count { !events.contains(Dot(replica: $0.replica, counter: $0.counter + 1)) }
        }
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `merging is a least upper bound`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let samples = (0..<3).map { _ in Sample(using: &random) }
        expectLaws(samples[0].context, samples[1].context, samples[2].context, seed: seed)
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `agrees with a plain set of events`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let (one, two) = (Sample(using: &random), Sample(using: &random))
        #expect(Sample.dots.allSatisfy { one.context.contains($0) == one.events.contains($0) }, "seed \(seed)")
        #expect(one.context.size == one.runs, "seed \(seed)")
        #expect(one.context.includes(two.context) == one.events.isSuperset(of: two.events), "seed \(seed)")
        let both = one.context.merging(two.context)
        let union = one.events.union(two.events)
        #expect(Sample.dots.allSatisfy { both.contains($0) == union.contains($0) }, "seed \(seed)")
        var rebuilt = CausalContext<Int>()
        for dot in union.shuffled(using: &random) { rebuilt.insert(dot) }
        #expect(rebuilt == both, "equal events are equal values, seed \(seed)")
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `seeing an event leads upwards`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var context = Sample(using: &random).context
        let before = context
        let dot = context.advance(Int.random(in: 0..<3, using: &random))
        #expect(!before.contains(dot) && context.contains(dot), "seed \(seed)")
        #expect(context.includes(before) && !before.includes(context), "seed \(seed)")
    }

    @Test
    func `the last of all numbers has no successor to look for`() {
        var context = CausalContext<Int>()
        context.insert(Dot(replica: 1, counter: .max))
        context.insert(Dot(replica: 1, counter: .max - 1))
        context.insert(Dot(replica: 1, counter: 1))
        #expect(context.contains(Dot(replica: 1, counter: .max)))
        #expect(!context.contains(Dot(replica: 1, counter: 2)))
        #expect(context.size == 2)
    }
}
