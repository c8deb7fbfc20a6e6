import Membership
import Testing

@Suite("Which grants a revocation reaches")
struct ReachStories {
    @Test func `a removal takes what was granted concurrently`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let base = room.promote("Bob", to: .admin, by: "Alice")
        let again = room.add("Carol", by: "Bob", after: [base])
        room.remove("Carol", by: "Alice", after: [base])
        #expect(room.counts(again))
        #expect(room.roles == ["Alice": .founder, "Bob": .admin])
    }

    @Test func `who is added again after a removal is a member again`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        room.remove("Bob", by: "Alice")
        let again = room.add("Bob", by: "Alice")
        #expect(room.counts(again))
        #expect(room.roles == ["Alice": .founder, "Bob": .member])
    }

    @Test func `who is added again has nothing of what they were before`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        let promotion = room.promote("Bob", to: .admin, by: "Alice")
        let removal = room.remove("Bob", by: "Alice")
        room.add("Bob", by: "Alice")
        #expect(room.roles["Bob"] == .member)
        let old = room.add("Carol", by: "Bob", under: promotion.grant())
        #expect(room.reason(against: old) == .revoked(by: removal))
    }

    @Test func `a concurrent removal leaves what weighs more than its author`() {
        var room = Room()
        let base = room.add("Bob", "Carol", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice", after: [base])
        let carol = room.promote("Carol", to: .admin, by: "Alice", after: [base])
        let removal = room.remove("Bob", by: "Carol", after: [carol])
        #expect(room.counts(removal))
        #expect(room.roles["Bob"] == .admin)
    }

    @Test func `a moderator's removal takes the membership and not the office given concurrently`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let base = room.promote("Carol", to: .moderator, by: "Alice")
        room.remove("Bob", by: "Carol", after: [base])
        let office = room.promote("Bob", to: .admin, by: "Alice", after: [base])
        #expect(room.roles["Bob"] == .admin)
        let demotion = room.demote("Bob", to: .member, by: "Alice")
        #expect(room.counts(demotion))
        #expect(room.roles["Bob"] == .member)
        #expect(room.counts(office))
    }

    @Test func `a demotion leaves what is not above it`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        let moderator = room.promote("Bob", to: .moderator, by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        room.demote("Bob", to: .moderator, by: "Alice")
        let addition = room.add("Carol", by: "Bob", under: moderator.grant())
        #expect(room.counts(addition))
    }

    @Test func `who leaves loses everything that they had`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        room.leave("Bob")
        #expect(room.roles == ["Alice": .founder])
        room.leave("Alice")
        #expect(room.roles == [:])
    }

    @Test func `who leaves while they are promoted has left`() {
        var room = Room()
        let base = room.add("Bob", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice", after: [base])
        room.leave("Bob", after: [base])
        #expect(room.roles == ["Alice": .founder])
    }

    @Test func `who left can be added again`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        room.leave("Bob")
        room.add("Bob", by: "Alice")
        #expect(room.roles == ["Alice": .founder, "Bob": .member])
    }

    @Test func `who steps down stays a member`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        room.stepDown("Bob")
        #expect(room.roles == ["Alice": .founder, "Bob": .member])
        room.stepDown("Alice")
        #expect(room.roles["Alice"] != .founder)
    }

    @Test func `two removals take no more than one`() {
        var room = Room()
        let base = room.add("Bob", "Carol", by: "Alice")
        let moderator = room.promote("Carol", to: .moderator, by: "Alice", after: [base])
        let one = room.remove("Bob", by: "Alice", after: [moderator])
        let other = room.remove("Bob", by: "Carol", after: [moderator])
        #expect(room.counts(one))
        #expect(room.counts(other))
        room.add("Bob", by: "Alice")
        #expect(room.roles["Bob"] == .member)
    }

    @Test func `who was added by two stays while one of them counts`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let base = room.promote("Bob", to: .moderator, by: "Alice")
        room.add("Dave", by: "Bob", after: [base])
        room.add("Dave", by: "Alice", after: [base])
        room.remove("Bob", by: "Alice", after: [base])
        #expect(room.roles["Dave"] == .member)
    }
}
