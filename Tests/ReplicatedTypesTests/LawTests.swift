import OperationLogFixtures
import ReplicatedTypes
import Testing

private typealias NameSet = ObservedRemoveSet<Int, Int>

/// Three replicas of a set that live apart for a while and hear of each other now and then, with every delta they made.
private struct Family {
    var replicas = [NameSet(), NameSet(), NameSet()]
    var deltas: [NameSet] = []

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<Int.random(in: 0...60, using: &random) {
            let replica = Int.random(in: 0..<3, using: &random)
            let element = Int.random(in: 0..<8, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0...2: deltas.append(replicas[replica].insert(element, at: replica))
            case 3, 4: deltas.append(replicas[replica].remove(element))
            default: replicas[replica].merge(replicas[Int.random(in: 0..<3, using: &random)])
            }
        }
    }
}

@Suite("Merging observed-remove sets")
struct ObservedRemoveSetTests {
    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `is associative, commutative and idempotent`(seed: UInt64) {
        let replicas = Family(seed: seed).replicas
        let (one, two, three) = (replicas[0], replicas[1], replicas[2])
        #expect(one.merging(two) == two.merging(one))
        #expect(one.merging(two).merging(three) == one.merging(two.merging(three)))
        #expect(one.merging(one) == one)
        #expect(one.merging(two).merging(two) == one.merging(two))
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `gives the same from deltas in any order, some of them twice`(seed: UInt64) {
        let family = Family(seed: seed)
        let whole = family.replicas.reduce(NameSet()) { $0.merging($1) }
        var random = SplitMix64(seed: seed)
        let shuffled = (family.deltas + family.deltas.prefix(5)).shuffled(using: &random)
        #expect(shuffled.reduce(NameSet()) { $0.merging($1) } == whole)
    }

    @Test
    func `keeps what was added while it was removed elsewhere`() {
        var alice = NameSet()
        alice.insert(7, at: 1)
        var bob = alice
        alice.remove(7)
        bob.insert(7, at: 2)
        #expect(alice.merging(bob).contains(7))
    }

    @Test
    func `does not bring back what was removed after it was seen`() {
        var alice = NameSet()
        alice.insert(7, at: 1)
        let old = alice
        alice.remove(7)
        #expect(!alice.merging(old).contains(7))
    }
}

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
        #expect((one.merging(two).stamp ?? 0) >= (one.stamp ?? 0))
    }
}

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
        #expect(one.merging(two).isSuperset(of: one))
        #expect(one.merging(two).isSuperset(of: two))
    }
}
