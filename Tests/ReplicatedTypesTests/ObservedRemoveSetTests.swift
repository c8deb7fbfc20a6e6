import OperationLogFixtures
import ReplicatedTypes
import Testing

private typealias NameSet = ObservedRemoveSet<Int, Int>

/// Three replicas of a set that live apart for a while and hear of each other now and then, with every delta they made.
private struct Family {
    var replicas = [NameSet(), NameSet(), NameSet()]
    var deltas: [NameSet.Delta] = []
    /// Each replica before and after each of its changes.
    var steps: [(before: NameSet, after: NameSet)] = []

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<Int.random(in: 0...60, using: &random) {
            let replica = Int.random(in: 0..<3, using: &random)
            let element = Int.random(in: 0..<8, using: &random)
            let before = replicas[replica]
            switch Int.random(in: 0..<6, using: &random) {
            case 0...2: deltas.append(replicas[replica].insert(element, at: replica))
            case 3, 4: deltas.append(replicas[replica].remove(element))
            default: replicas[replica].merge(replicas[Int.random(in: 0..<3, using: &random)])
            }
            steps.append((before, replicas[replica]))
        }
    }

    var whole: NameSet { replicas.reduce(NameSet()) { $0.merging($1) } }
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
    func `leads upwards, as every change does`(seed: UInt64) {
        let family = Family(seed: seed)
        for step in family.steps { #expect(step.after.includes(step.before), "seed \(seed)") }
        for replica in family.replicas { #expect(family.whole.includes(replica), "seed \(seed)") }
        for replica in family.replicas where replica != family.whole {
            #expect(!replica.includes(family.whole), "seed \(seed)")
        }
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `gives the same from deltas in any order, some of them twice`(seed: UInt64) {
        let family = Family(seed: seed)
        var random = SplitMix64(seed: seed)
        var merged = NameSet()
        for delta in (family.deltas + family.deltas.prefix(5)).shuffled(using: &random) { merged.merge(delta) }
        #expect(merged == family.whole, "seed \(seed)")
    }

    @Test(arguments: 1...100 as ClosedRange<UInt64>)
    func `agrees with a set that keeps every tombstone`(seed: UInt64) {
        let family = Family(seed: seed)
        // An addition is there unless some removal, or an addition that stands for it, has named it.
        let gone = Set(family.deltas.flatMap(\.replaced))
        let left = family.deltas.filter { delta in delta.added.map { !gone.contains($0) } ?? false }
        #expect(Set(family.whole.elements) == Set(left.map(\.element)), "seed \(seed)")
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

    @Test
    func `keeps two additions apart that a removal saw one of`() {
        var alice = NameSet()
        alice.insert(7, by: Dot(replica: 1, counter: 1))
        var bob = alice
        bob.insert(7, by: Dot(replica: 2, counter: 1))
        #expect(bob.dots(of: 7).count == 2)
        alice.remove(7)
        #expect(alice.merging(bob).dots(of: 7) == [Dot(replica: 2, counter: 1)])
    }

    @Test
    func `leaves no tombstone behind`() {
        var set = NameSet()
        for _ in 0..<10_000 {
            set.insert(7, at: 1)
            set.remove(7)
        }
        var fresh = NameSet()
        fresh.merge(set)
        #expect(set.count == 0)
        #expect(set.context == fresh.context)
        #expect(set.context.size == 1, "one number for one replica, whatever happened there")
    }
}
