import Membership
import Testing

@Suite("Taking back an invite")
struct CancellationStories {
    @Test func `who invited takes it back`() {
        var room = Room()
        let invite = room.invite("Bob", by: "Alice")
        let cancellation = room.cancel(invite, by: "Alice")
        #expect(room.counts(cancellation))
    }

    @Test func `who outranks the inviter takes it back, and nobody else`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        room.promote("Bob", to: .moderator, by: "Alice")
        room.promote("Carol", to: .moderator, by: "Alice")
        let seniors = room.invite("Dave", by: "Bob")
        let juniors = room.invite("Erin", by: "Carol")
        let upwards = room.cancel(seniors, by: "Carol")
        let downwards = room.cancel(juniors, by: "Bob")
        let founders = room.cancel(seniors, by: "Alice")
        #expect(room.reason(against: upwards) == .outranked(by: seniors))
        #expect(room.counts(downwards))
        #expect(room.counts(founders))
    }

    @Test func `an own invite is taken back under any grant that suffices`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        let invite = room.invite("Carol", by: "Bob")
        let demotion = room.demote("Bob", to: .moderator, by: "Alice")
        let cancellation = room.cancel(invite, by: "Bob", under: demotion.grant())
        #expect(room.counts(cancellation))
    }

    @Test func `an invite that was not seen is not taken back, nor what is none`() {
        var room = Room()
        let addition = room.add("Bob", by: "Alice")
        let invite = room.invite("Carol", by: "Alice")
        let concurrent = room.cancel(invite, by: "Alice", after: [addition])
        let mistaken = room.cancel(addition, by: "Alice")
        let imagined = room.cancel("an invite nobody wrote", by: "Alice")
        for operation in [concurrent, mistaken, imagined] {
            #expect(room.reason(against: operation) == Reason(.inviteUnknown))
        }
        let join = room.join("Carol", invite)
        #expect(room.counts(join))
    }

    @Test func `an invite under no grant is taken back by its author only`() {
        var room = Room()
        let base = room.add("Bob", by: "Alice")
        let forged = room.invite("Carol", by: "Bob", under: .grant("nowhere", slot: 0), after: [base])
        let cancellation = room.cancel(forged, by: "Alice")
        #expect(room.reason(against: cancellation) == .outranked(by: forged))
    }
}
