import OperationLogFixtures
import ReplicatedTypes
import Testing

@Suite("Merging last-writer-wins registers")
struct LastWriterWinsRegisterTests {
    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `is associative, commutative, idempotent and never goes back`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let registers = (0..<3).map { _ in
            var register = LastWriterWinsRegister<UInt64, UInt64>()
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let stamp = UInt64.random(in: 0...20, using: &random)
                register.write(stamp * 31, at: stamp)
            }
            return register
        }
        let (one, two, three) = (registers[0], registers[1], registers[2])
        #expect(one.merging(two) == two.merging(one))
        #expect(one.merging(two).merging(three) == one.merging(two.merging(three)))
        #expect(one.merging(one) == one)
        #expect(one.merging(two).includes(one) && one.merging(two).includes(two))
        #expect(one.includes(two) == (one.merging(two) == one))
    }
}
