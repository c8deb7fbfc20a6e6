import OperationLogFixtures
import ReplicatedTypes
import Testing

@Suite("Deltas of observed-remove sets")
struct ObservedRemoveSetDeltaTests {
    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `merging the delta of a change is merging the changed set`(seed: UInt64) {
        let family = Family(seed: seed)
        for step in family.steps {
            guard let delta = step.delta else { continue }
            // Whoever has seen what the author had seen needs the delta alone.
            for other in family.replicas + [step.before, NumberSet()] {
                let ready = other.merging(step.before)
                var merged = ready
                merged.merge(delta)
                #expect(merged == ready.merging(step.after), "seed \(seed)")
                #expect(merged.includes(ready), "seed \(seed)")
            }
        }
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `deltas in any order, some of them twice, converge`(seed: UInt64) {
        let family = Family(seed: seed)
        var random = SplitMix64(seed: seed)
        var merged = NumberSet()
        for delta in (family.deltas + family.deltas.prefix(5)).shuffled(using: &random) {
            let before = merged
            merged.merge(delta)
            #expect(merged.includes(before), "seed \(seed)")
        }
        #expect(merged == family.whole, "seed \(seed)")
        #expect(merged.context.size <= 3, "every gap is closed, seed \(seed)")
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `a delta since a context is as good as the whole set for who has seen it`(seed: UInt64) {
        let family = Family(seed: seed)
        for receiver in family.replicas + [NumberSet(), family.lossyListener(seed: seed)] {
            for sender in family.replicas + [family.whole] {
                let delta = sender.delta(since: receiver.context)
                #expect(receiver.merging(delta) == receiver.merging(sender), "seed \(seed)")
                // Having seen more than was asked about is no obstacle.
                let ahead = receiver.merging(family.replicas[0])
                #expect(ahead.merging(delta) == ahead.merging(sender), "seed \(seed)")
                #expect(sender.includes(delta), "seed \(seed)")
            }
        }
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `a delta since too much does no harm, and what it lacks can still come`(seed: UInt64) {
        let family = Family(seed: seed)
        let (sender, receiver) = (family.whole, family.lossyListener(seed: seed))
        let delta = sender.delta(since: family.replicas[1].context)
        let merged = receiver.merging(delta)
        #expect(merged.includes(receiver), "seed \(seed)")
        #expect(sender.includes(merged), "nothing is made up, seed \(seed)")
        #expect(merged.merging(sender) == sender, "nothing is lost, seed \(seed)")
        #expect(merged.merging(sender.delta(since: merged.context)) == sender, "seed \(seed)")
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `deltas can be joined on their way`(seed: UInt64) {
        let family = Family(seed: seed)
        let half = family.deltas.count / 2
        var group = NumberSet()
        for delta in family.deltas[half...] { group.merge(delta) }
        var early = NumberSet()
        for delta in family.deltas[..<half] { early.merge(delta) }
        #expect(group.merging(early) == family.whole, "seed \(seed)")
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `a delta since nothing is everything, and one since everything adds nothing`(seed: UInt64) {
        let whole = Family(seed: seed).whole
        #expect(whole.delta(since: CausalContext()) == whole, "seed \(seed)")
        #expect(whole.delta(since: whole.context).count == 0, "seed \(seed)")
    }

    @Test
    func `a delta after a gap waits in the cloud, and takes effect at once`() {
        var alice = NumberSet()
        let first = alice.insert(7, at: 1)
        let second = alice.insert(8, at: 1)
        let third = alice.insert(9, at: 1)
        var bob = NumberSet()
        bob.merge(first)
        bob.merge(third)
        #expect(Set(bob.elements) == [7, 9])
        #expect(bob.context.size == 2, "events 1 and 3 of Alice, with a gap between them")
        #expect(!bob.includes(alice))
        bob.merge(second)
        #expect(bob == alice)
        #expect(bob.context.size == 1)
    }

    @Test
    func `a removal that overtakes the addition it took makes it arrive in vain`() {
        var alice = NumberSet()
        let addition = alice.insert(7, at: 1)
        let removal = alice.remove(7)
        var bob = NumberSet()
        bob.merge(removal)
        bob.merge(addition)
        #expect(!bob.contains(7))
        #expect(bob == alice)
    }

    @Test
    func `a delta is small where the set is large`() {
        var alice = NumberSet()
        for number in 0..<1_000 { alice.insert(number, at: 1) }
        var bob = alice
        bob.insert(1_000, at: 2)
        bob.remove(3)
        let delta = bob.delta(since: alice.context)
        #expect(Array(delta.elements) == [1_000])
        #expect(delta.context.size == 2, "the removed event of replica 1, and the event of replica 2")
        #expect(alice.merging(delta) == bob)
    }
}
