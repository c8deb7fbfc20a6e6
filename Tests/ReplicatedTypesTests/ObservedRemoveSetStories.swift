import ReplicatedTypes
import Testing

@Suite("Alice and Bob share a set")
struct ObservedRemoveSetStories {
    private typealias Names = ObservedRemoveSet<String, String>

    @Test
    func `Bob adds what Alice removes at the same time, and it stays`() {
        var alice = Names()
        alice.insert("tea", at: "Alice")
        var bob = alice
        alice.remove("tea")
        bob.insert("tea", at: "Bob")
        #expect(alice.merging(bob).contains("tea"))
        #expect(bob.merging(alice).contains("tea"))
    }

    @Test
    func `Alice removes what they have seen, and an old copy does not bring it back`() {
        var alice = Names()
        alice.insert("tea", at: "Alice")
        let old = alice
        alice.remove("tea")
        #expect(!alice.merging(old).contains("tea"))
        #expect(!old.merging(alice).contains("tea"))
    }

    @Test
    func `Alice removes one of two additions, since they have not seen the other`() {
        var alice = Names()
        var bob = Names()
        alice.insert("tea", at: "Alice")
        bob.insert("tea", at: "Bob")
        let removal = alice.remove("tea")
        bob.merge(alice)
        #expect(Array(bob.dots(of: "tea")) == [Dot(replica: "Bob", counter: 1)])
        bob.merge(removal)
        #expect(bob.contains("tea"), "the removal names what it takes, however often it is heard")
    }

    @Test
    func `Bob removes both additions when they have seen both`() {
        var alice = Names()
        var bob = Names()
        alice.insert("tea", at: "Alice")
        bob.insert("tea", at: "Bob")
        bob.merge(alice)
        #expect(bob.dots(of: "tea").count == 2)
        bob.remove("tea")
        #expect(!alice.merging(bob).contains("tea"))
    }

    @Test
    func `Alice adds again what they removed`() {
        var alice = Names()
        alice.insert("tea", at: "Alice")
        var bob = alice
        alice.remove("tea")
        alice.insert("tea", at: "Alice")
        bob.merge(alice)
        #expect(bob.contains("tea"))
        #expect(Array(bob.dots(of: "tea")) == [Dot(replica: "Alice", counter: 2)])
    }

    @Test
    func `both remove the same, and nothing is left of it`() {
        var alice = Names()
        alice.insert("tea", at: "Alice")
        var bob = alice
        alice.remove("tea")
        bob.remove("tea")
        #expect(alice == bob)
        #expect(alice.merging(bob) == alice)
    }

    @Test
    func `removing what is not there changes nothing and tells nothing`() {
        var alice = Names()
        alice.insert("tea", at: "Alice")
        let before = alice
        var bob = before
        bob.merge(alice.remove("coffee"))
        #expect(alice == before)
        #expect(bob == before)
    }

    @Test
    func `after ten thousand additions and removals there is nothing left to carry`() {
        var alice = Names()
        for round in 0..<10_000 {
            let name = "guest \(round % 100)"
            alice.insert(name, at: round.isMultiple(of: 2) ? "Alice" : "Bob")
            if round % 5 < 4 { alice.remove(name) }
        }
        #expect(alice.count == 20)
        #expect(alice.elements.allSatisfy { alice.dots(of: $0).count == 1 })
        #expect(alice.context.size == 2, "one number for each replica, whatever happened there")
        let delta = alice.delta(since: alice.context)
        #expect(delta.context.size <= 20 + 2, "one run between any two of the additions left")
        for name in Array(alice.elements) { alice.remove(name) }
        #expect(alice.count == 0)
        #expect(alice.context.size == 2)
        #expect(alice.delta(since: alice.context).context.size == 2)
    }

    @Test
    func `a replica that comes back from an old copy gives no dot a second time`() {
        var alice = Names()
        let backup = alice
        let lost = alice.insert("tea", at: "Alice")
        let known = alice.insert("cake", at: "Alice")
        var restored = backup
        restored.merge(known)
        let next = restored.insert("coffee", at: "Alice")
        #expect(next.added == Dot(replica: "Alice", counter: 3))
        restored.merge(lost)
        #expect(restored.count == 3)
        #expect(restored.context.size == 1)
    }
}
