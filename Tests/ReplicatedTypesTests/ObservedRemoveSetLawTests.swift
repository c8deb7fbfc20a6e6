import OperationLogFixtures
import ReplicatedTypes
import Testing

@Suite("Laws of observed-remove sets")
struct ObservedRemoveSetLawTests {
    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `merging is a least upper bound`(seed: UInt64) {
        let replicas = Family(seed: seed).replicas
        expectLaws(replicas[0], replicas[1], replicas[2], seed: seed)
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `merging is a least upper bound also of sets with gaps`(seed: UInt64) {
        let family = Family(seed: seed)
        let listener = family.lossyListener(seed: seed)
        expectLaws(listener, family.lossyListener(seed: seed + 1_000), family.replicas[0], seed: seed)
        #expect(family.whole.includes(listener), "seed \(seed)")
        #expect(family.whole.merging(listener) == family.whole, "seed \(seed)")
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `every change and every merge leads upwards`(seed: UInt64) {
        for step in Family(seed: seed).steps {
            #expect(step.after.includes(step.before), "seed \(seed)")
            #expect(step.after == step.before || !step.before.includes(step.after), "seed \(seed)")
        }
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `equal histories are equal values, whatever way they came`(seed: UInt64) {
        let family = Family(seed: seed)
        let reversed = family.replicas.reversed().reduce(NumberSet()) { $0.merging($1) }
        #expect(reversed == family.whole, "seed \(seed)")
        #expect(Set([reversed, family.whole]).count == 1, "seed \(seed)")
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `agrees with a set that keeps every tombstone`(seed: UInt64) {
        let family = Family(seed: seed)
        for (set, model) in zip(family.replicas, family.models) {
            #expect(Set(set.elements) == model.elements, "seed \(seed)")
            #expect((0..<8).allSatisfy { set.contains($0) == model.elements.contains($0) }, "seed \(seed)")
            #expect(set.count == model.elements.count, "seed \(seed)")
        }
        var model = TombstoneSet<Int>()
        for other in family.models { model.merge(other) }
        #expect(Set(family.whole.elements) == model.elements, "seed \(seed)")
    }
}
