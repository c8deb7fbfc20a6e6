import OperationLogFixtures
import ReplicatedTypes
import Testing

@Suite("Version vectors")
struct VersionVectorTests {
    private static func sample(using random: inout SplitMix64) -> VersionVector<Int> {
        var vector = VersionVector<Int>()
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            vector.raise(Int.random(in: 0..<4, using: &random), to: UInt64.random(in: 0...9, using: &random))
        }
        return vector
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `merging is a least upper bound`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let vectors = (0..<3).map { _ in Self.sample(using: &random) }
        expectLaws(vectors[0], vectors[1], vectors[2], seed: seed)
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `a delta has the effect of the whole vector, and is smaller`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let (one, two, three) = (
            Self.sample(using: &random), Self.sample(using: &random), Self.sample(using: &random)
        )
        let delta = one.delta(beyond: two)
        #expect(two.merging(delta) == two.merging(one), "seed \(seed)")
        #expect(two.merging(three).merging(delta) == two.merging(three).merging(one), "seed \(seed)")
        #expect(one.includes(delta), "nothing is made up, seed \(seed)")
        #expect(delta.replicas.allSatisfy { one[$0] > two[$0] }, "seed \(seed)")
        #expect(one.delta(beyond: one) == VersionVector(), "seed \(seed)")
        #expect(one.delta(beyond: VersionVector()) == one, "seed \(seed)")
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `every change leads upwards`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let before = Self.sample(using: &random)
        var after = before
        let dot = after.advance(Int.random(in: 0..<4, using: &random))
        #expect(after.contains(dot) && !before.contains(dot), "seed \(seed)")
        #expect(after.includes(before) && !before.includes(after), "seed \(seed)")
        let advanced = after
        after.raise(dot.replica, to: UInt64.random(in: 0...12, using: &random))
        #expect(after.includes(advanced), "seed \(seed)")
    }

    @Test
    func `Alice and Bob are concurrent when each has seen what the other has not`() {
        var alice = VersionVector<String>()
        var bob = alice
        _ = alice.advance("Alice")
        _ = bob.advance("Bob")
        #expect(!alice.includes(bob) && !bob.includes(alice))
        bob.merge(alice)
        #expect(bob.includes(alice) && !alice.includes(bob))
    }

    @Test
    func `nothing seen of a replica is the same as not knowing it`() {
        var vector = VersionVector<String>()
        vector.raise("Alice", to: 0)
        #expect(vector == VersionVector())
        #expect(vector.replicas.isEmpty)
    }
}
