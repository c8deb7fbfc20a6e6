import Membership
import Testing

@Suite("What needs nobody's leave")
struct OwnAffairsStories {
    @Test func `strangers have no devices here and nothing to give up`() {
        var room = Room()
        let operations = [room.leave("Mallory"), room.stepDown("Mallory"), room.device(of: "Mallory")]
        for operation in operations { #expect(room.reason(against: operation) == Reason(.neverAMember)) }
    }

    @Test func `an invite alone makes nobody a member`() {
        var room = Room()
        room.invite("Bob", by: "Alice")
        let operations = [room.leave("Bob"), room.stepDown("Bob"), room.device(of: "Bob")]
        for operation in operations { #expect(room.reason(against: operation) == Reason(.neverAMember)) }
    }

    @Test func `who was ever named as holder of a grant has devices, even if the grant was void`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        let forged = room.add("Carol", by: "Bob")
        let device = room.device(of: "Carol")
        #expect(!room.counts(forged))
        #expect(room.counts(device))
        #expect(room.roles["Carol"] == nil)
    }

    @Test func `what was not seen is no grant`() {
        var room = Room()
        let addition = room.add("Bob", by: "Alice")
        let concurrent = room.device(of: "Bob", after: [room.creation])
        let after = room.device(of: "Bob", after: [addition])
        #expect(room.reason(against: concurrent) == Reason(.neverAMember))
        #expect(room.counts(after))
    }

    @Test func `a removed member still names devices and leaves`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        room.remove("Bob", by: "Alice")
        let device = room.device(of: "Bob")
        let leave = room.leave("Bob")
        #expect(room.counts(device))
        #expect(room.counts(leave))
    }

    @Test func `a merge joins heads and does nothing else, whoever wrote it`() {
        var room = Room()
        room.add("Bob", by: "Alice", after: [room.creation])
        room.add("Carol", by: "Alice", after: [room.creation])
        let before = room.state
        let merge = room.merge(by: "Mallory")
        #expect(room.counts(merge))
        #expect(room.resolver.heads == [merge])
        #expect(room.state == before)
    }

    @Test func `a device neither grants nor revokes`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        let before = room.state
        room.device(of: "Bob")
        room.device(of: "Alice")
        #expect(room.state == before)
    }
}
