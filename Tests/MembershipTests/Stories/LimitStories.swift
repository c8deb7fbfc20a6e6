import Membership
import Testing

@Suite("What the rules do not do")
struct LimitStories {
    @Test func `a junior never gets rid of a senior, nor anybody of the founder`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let bob = room.promote("Bob", to: .admin, by: "Alice")
        room.promote("Carol", to: .admin, by: "Alice")
        let deeds = [
            room.remove("Bob", by: "Carol"), room.demote("Bob", to: .member, by: "Carol"),
            room.ratify(ban: ["Bob"], by: "Carol"),
        ]
        for deed in deeds { #expect(room.reason(against: deed) == .outranked(by: bob)) }
        let coup = room.remove("Alice", by: "Bob")
        #expect(room.reason(against: coup) == .outranked(by: room.creation))
    }

    @Test func `a founder who lies goes on beside his own leave`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let base = room.promote("Bob", to: .admin, by: "Alice")
        room.leave("Alice", after: [base])
        let lie = room.remove("Bob", by: "Alice", after: [base])
        #expect(room.counts(lie))
        #expect(room.roles == ["Carol": .admin])
    }

    @Test func `an admin who lies goes on beside his leave until who outranks him bans him`() {
        var room = Room()
        room.add("Bob", "Carol", "Dave", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        let base = room.promote("Carol", to: .admin, by: "Alice")
        let leave = room.leave("Carol", after: [base])
        let lie = room.remove("Dave", by: "Carol", after: [base])
        #expect(room.counts(lie))
        #expect(room.roles["Dave"] == nil)
        let ban = room.ratify(ban: ["Carol"], by: "Bob", after: [leave])
        #expect(room.reason(against: lie) == .revoked(by: ban))
        #expect(room.roles["Dave"] == .member)
    }

    @Test func `a spammer removed beside the last departure may be first in succession`() {
        var room = Room()
        room.add("Mallory", "Bob", by: "Alice")
        let base = room.promote("Bob", to: .moderator, by: "Alice")
        room.remove("Mallory", by: "Bob", after: [base])
        room.leave("Alice", after: [base])
        #expect(room.actingAdmin == "Mallory")
    }

    @Test func `a successor who never comes online is not skipped`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        room.promote("Carol", to: .moderator, by: "Alice")
        room.leave("Alice")
        let impatience = room.set("name", to: "Carol's", by: "Carol", under: .acting)
        #expect(room.reason(against: impatience) == Reason(.notActingAdmin))
    }

    @Test func `a removal by a senior who was away voids all that the junior did since`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        let base = room.promote("Bob", to: .admin, by: "Alice")
        let deeds = [room.add("Carol", by: "Bob"), room.add("Dave", by: "Bob")]
        let stale = room.demote("Bob", to: .member, by: "Alice", after: [base])
        for deed in deeds { #expect(room.reason(against: deed) == .revoked(by: stale)) }
        #expect(room.roles == ["Alice": .founder, "Bob": .member])
    }

    @Test func `where only capped offices are left nobody acts`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let base = room.promote("Carol", to: .moderator, by: "Alice")
        room.remove("Bob", by: "Carol", after: [base])
        room.promote("Bob", to: .admin, by: "Alice", after: [base])
        room.leave("Carol")
        room.leave("Alice")
        #expect(room.roles == ["Bob": .admin])
        room.stepDown("Bob")
        #expect(room.roles == ["Bob": .member])
        #expect(room.actingAdmin == nil)
    }
}
