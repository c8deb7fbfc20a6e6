import OperationLogFixtures
import ReplicatedTypes
import Testing

@Suite("Merging version vectors")
struct VersionVectorTests {
    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `is associative, commutative, idempotent and monotone`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let vectors = (0..<3).map { _ in
            var vector = VersionVector<Int>()
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                vector.raise(Int.random(in: 0..<4, using: &random), to: UInt64.random(in: 1...9, using: &random))
            }
            return vector
        }
        let (one, two, three) = (vectors[0], vectors[1], vectors[2])
        #expect(one.merging(two) == two.merging(one))
        #expect(one.merging(two).merging(three) == one.merging(two.merging(three)))
        #expect(one.merging(one) == one)
        #expect(two.merging(one.delta(beyond: two)) == two.merging(one))
        #expect(one.merging(two).includes(one))
        #expect(one.merging(two).includes(two))
    }
}
