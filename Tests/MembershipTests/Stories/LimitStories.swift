import Membership
import Testing

@Suite("What the rules do not do")
struct LimitStories {
    @Test func `a junior never gets rid of a senior, nor anybody of the founder`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let bob = room.promote("Bob", to: .admin, by: "Alice")
        room.promote("Carol", to: .admin, by: "Alice")
        let operations = [
            room.remove("Bob", by: "Carol"), room.demote("Bob", to: .member, by: "Carol"),
        ]
        for operation in operations { #expect(room.reason(against: operation) == .outranked(by: bob)) }
        let ban = room.ratify(ban: ["Bob"], by: "Carol")
        #expect(room.reason(against: ban) == .outranked(by: bob).of(entry: 1))
        let coup = room.remove("Alice", by: "Bob")
        #expect(room.reason(against: coup) == .outranked(by: room.creation))
    }

    @Test func `a founder who lies goes on concurrently with their own leave`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let base = room.promote("Bob", to: .admin, by: "Alice")
        room.leave("Alice", after: [base])
        let lie = room.remove("Bob", by: "Alice", after: [base])
        #expect(room.counts(lie))
        #expect(room.roles == ["Carol": .admin])
    }

    @Test func `an admin who lies goes on concurrently with their leave until who outranks them bans them`() {
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

    @Test func `a spammer removed concurrently with the last departure may be first in succession`() {
        var room = Room()
        room.add("Mallory", "Bob", by: "Alice")
        let base = room.promote("Bob", to: .moderator, by: "Alice")
        room.remove("Mallory", by: "Bob", after: [base])
        room.leave("Alice", after: [base])
        #expect(room.actingAdmin == "Mallory")
    }

    @Test func `a successor who never comes online is not skipped`() {
        var room = Room()
        let addition = room.add("Bob", "Carol", by: "Alice")
        room.promote("Carol", to: .moderator, by: "Alice")
        room.leave("Alice")
        let impatience = room.set("name", to: "Carol's", by: "Carol", under: .acting)
        #expect(room.reason(against: impatience) == Reason(.notActingAdmin, by: addition))
    }

    @Test func `a removal by a senior who was away voids all that the junior did since`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        let base = room.promote("Bob", to: .admin, by: "Alice")
        let operations = [room.add("Carol", by: "Bob"), room.add("Dave", by: "Bob")]
        let stale = room.demote("Bob", to: .member, by: "Alice", after: [base])
        for operation in operations { #expect(room.reason(against: operation) == .revoked(by: stale)) }
        #expect(room.roles == ["Alice": .founder, "Bob": .member])
    }

    @Test func `a demoted moderator is safe from other moderators`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let moderator = room.promote("Bob", to: .moderator, by: "Alice")
        room.promote("Carol", to: .moderator, by: "Alice")
        room.demote("Bob", to: .member, by: "Alice")
        let removal = room.remove("Bob", by: "Carol")
        #expect(room.reason(against: removal) == .outranked(by: moderator))
    }

    @Test func `a leaver who outranks voids the ratify that bans them`() {
        var room = Room()
        room.add("Bob", "Carol", "Dave", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        room.promote("Carol", to: .admin, by: "Alice")
        let base = room.leave("Alice")
        let leave = room.leave("Bob")
        let ratification = room.ratify(
            keep: [Kept("Dave", .member)], ban: ["Alice", "Bob"], by: "Carol", after: [leave])
        let lie = room.remove("Carol", by: "Bob", after: [base])
        #expect(room.reason(against: ratification) == .revoked(by: lie))
        #expect(room.actingAdmin == "Dave")
    }

    @Test func `a removal that comes late undoes that somebody was added again`() {
        var room = Room()
        room.add("Bob", "Carol", "Dave", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        let base = room.promote("Carol", to: .admin, by: "Alice")
        let removal = room.remove("Dave", by: "Bob", after: [base])
        let again = room.add("Dave", by: "Alice", after: [removal])
        let late = room.remove("Dave", by: "Carol", after: [base])
        #expect(room.counts(again))
        #expect(room.roles["Dave"] == nil)
        #expect(room.resolver.grantOutcomes(for: "Dave").map(\.limits) == [[removal, late].sorted(), [late]])
    }
}
