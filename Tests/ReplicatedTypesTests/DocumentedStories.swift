import ReplicatedTypes
import Testing

/// What the articles of the documentation show, and what they say comes of it.
@Suite("Examples in the documentation")
struct DocumentedStories {
    @Test
    func `an addition that the removal had not seen stays`() {
        var alice = ObservedRemoveSet<String, String>()
        alice.insert("tea", at: "Alice")
        var bob = alice
        alice.remove("tea")
        bob.insert("tea", at: "Bob")
        let merged = alice.merging(bob)
        #expect(merged.contains("tea"))
        #expect(bob.merging(alice) == merged)
    }

    @Test
    func `a register has the value of the later write`() {
        var name = LastWriterWinsRegister<String, Int>()
        name.write("Ship", at: 1)
        var renamed = name
        renamed.write("Boat", at: 2)
        name.merge(renamed)
        #expect(name.value == "Boat")
    }

    @Test
    func `a removal that arrives first, and somebody who was away`() {
        var alice = ObservedRemoveSet<String, String>()
        let addition = alice.insert("tea", at: "Alice")
        let removal = alice.remove("tea")
        var bob = ObservedRemoveSet<String, String>()
        bob.merge(removal)
        bob.merge(addition)
        #expect(!bob.contains("tea"))
        #expect(bob == alice)
        bob.insert("milk", at: "Bob")

        var carol = ObservedRemoveSet<String, String>()
        let missed = bob.delta(since: carol.context)
        carol.merge(missed)
        #expect(carol == bob)
    }
}
