import OperationLogFixtures
import ReplicatedTypes
import Testing

@Suite("Last-writer-wins registers")
struct LastWriterWinsRegisterTests {
    private typealias Register = LastWriterWinsRegister<UInt64, UInt64>

    /// A register with the writes that made it. The value follows from the stamp, since a stamp is one write.
    private static func sample(using random: inout SplitMix64) -> (register: Register, stamps: [UInt64]) {
        var register = Register()
        let stamps = (0..<Int.random(in: 0...3, using: &random)).map { _ in UInt64.random(in: 0...20, using: &random) }
        for stamp in stamps { register.write(stamp * 31, at: stamp) }
        return (register, stamps)
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `merging is a least upper bound`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let registers = (0..<3).map { _ in Self.sample(using: &random).register }
        expectLaws(registers[0], registers[1], registers[2], seed: seed)
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `the greatest stamp counts, in whatever order writes come and however often`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let samples = (0..<3).map { _ in Self.sample(using: &random) }
        let stamps = samples.flatMap(\.stamps)
        // The delta of a write is the register in which it is the only one.
        var fromDeltas = Register()
        for stamp in (stamps + stamps.prefix(2)).shuffled(using: &random) {
            var delta = Register()
            delta.write(stamp * 31, at: stamp)
            let before = fromDeltas
            fromDeltas.merge(delta)
            #expect(fromDeltas.includes(before), "seed \(seed)")
        }
        #expect(fromDeltas.stamp == stamps.max(), "seed \(seed)")
        #expect(fromDeltas.value == stamps.max().map { $0 * 31 }, "seed \(seed)")
        #expect(fromDeltas == samples.reduce(Register()) { $0.merging($1.register) }, "seed \(seed)")
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `every write leads upwards`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let before = Self.sample(using: &random).register
        var after = before
        let stamp = UInt64.random(in: 0...20, using: &random)
        after.write(stamp * 31, at: stamp)
        #expect(after.includes(before), "seed \(seed)")
    }

    @Test
    func `Bob, who writes later by the logical clock, beats what Alice wrote`() {
        var alice = LastWriterWinsRegister<String, Int>()
        alice.write("tea", at: 1)
        var bob = alice
        bob.write("coffee", at: 2)
        alice.merge(bob)
        #expect(alice.value == "coffee")
        bob.write("an old idea", at: 1)
        #expect(bob.value == "coffee")
    }
}
