import Membership
import Testing

@Suite("Ratifying")
struct RatificationStories {
    @Test func `whom a ratification keeps stays, whatever becomes of who had added them`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        let promotion = room.promote("Bob", to: .admin, by: "Alice")
        let addition = room.add("Carol", "Dave", by: "Bob")
        room.ratify(keep: [Kept("Carol", .member)], by: "Alice")
        let stale = room.remove("Bob", by: "Alice", after: [promotion])
        #expect(room.reason(against: addition) == .revoked(by: stale))
        #expect(room.roles == ["Alice": .founder, "Carol": .member])
    }

    @Test func `who is kept acts under the slot of their place in the list`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let ratification = room.ratify(
            keep: [Kept("Bob", .member), Kept("Carol", .moderator)], by: "Alice")
        let addition = room.add("Dave", by: "Carol", under: ratification.grant(2))
        #expect(room.counts(addition))
        let tooLow = room.add("Erin", by: "Bob", under: ratification.grant(1))
        #expect(room.reason(against: tooLow) == Reason(.roleTooLow, by: ratification))
    }

    @Test func `a ratification takes back who was removed`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        room.remove("Bob", by: "Alice")
        room.ratify(keep: [Kept("Bob", .member)], by: "Alice")
        #expect(room.roles == ["Alice": .founder, "Bob": .member])
    }

    @Test(arguments: [Role.admin, .founder])
    func `a ratification keeps nobody as admin or founder`(role: Role) {
        var room = Room()
        room.add("Bob", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        let ratification = room.ratify(keep: [Kept("Bob", .member), Kept("Bob", role)], by: "Alice")
        #expect(room.reason(against: ratification) == Reason(.keepsTooHigh, entry: 2))
    }

    @Test func `a ratification keeps nobody who never had a grant`() {
        var room = Room()
        room.invite("Bob", by: "Alice")
        let stranger = room.ratify(keep: [Kept("Alice", .member), Kept("Mallory", .member)], by: "Alice")
        let invited = room.ratify(keep: [Kept("Bob", .member)], by: "Alice")
        #expect(room.reason(against: stranger) == Reason(.keepsAStranger, entry: 2))
        #expect(room.reason(against: invited) == Reason(.keepsAStranger, entry: 1))
    }

    @Test func `whom a void operation named may be kept`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        let forged = room.add("Carol", by: "Bob")
        let ratification = room.ratify(keep: [Kept("Carol", .member)], by: "Alice")
        #expect(!room.counts(forged))
        #expect(room.counts(ratification))
        #expect(room.roles["Carol"] == .member)
    }

    @Test func `a ban takes a member out like a removal`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        let ban = room.ratify(ban: ["Bob"], by: "Alice")
        let late = room.add("Dave", by: "Bob")
        #expect(room.reason(against: late) == .revoked(by: ban))
        #expect(room.roles == ["Alice": .founder, "Carol": .member])
    }

    @Test func `who is no member any more, or never was, can be banned`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        room.leave("Bob")
        let ban = room.ratify(ban: ["Bob", "Mallory"], by: "Alice")
        #expect(room.counts(ban))
    }

    @Test func `a ban repeats a removal under the authority of its author`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let base = room.promote("Bob", to: .admin, by: "Alice")
        let removal = room.remove("Carol", by: "Bob")
        room.ratify(ban: ["Carol"], by: "Alice")
        let strike = room.remove("Bob", by: "Alice", after: [base])
        #expect(room.reason(against: removal) == .revoked(by: strike))
        #expect(room.roles == ["Alice": .founder])
    }

    @Test func `nobody bans themselves, the acting admin or their better`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let senior = room.promote("Bob", to: .admin, by: "Alice")
        room.promote("Carol", to: .admin, by: "Alice")
        let ofSelf = room.ratify(ban: ["Carol"], by: "Carol")
        let better = room.ratify(ban: ["Mallory", "Bob"], by: "Carol")
        let founder = room.ratify(ban: ["Alice"], by: "Carol")
        #expect(room.reason(against: ofSelf) == Reason(.targetsSelf, entry: 1))
        #expect(room.reason(against: better) == .outranked(by: senior).of(entry: 2))
        #expect(room.reason(against: founder) == .outranked(by: room.creation).of(entry: 1))
    }

    @Test func `the acting admin is not banned`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let admin = room.promote("Carol", to: .admin, by: "Alice")
        room.leave("Alice")
        room.stepDown("Carol")
        let ban = room.ratify(ban: ["Bob"], by: "Carol", under: admin.grant())
        #expect(room.reason(against: ban) == Reason(.targetIsActingAdmin, entry: 1))
    }

    @Test func `one bad entry spoils the whole`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        room.remove("Carol", by: "Alice")
        let ratification = room.ratify(keep: [Kept("Carol", .member)], ban: ["Alice"], by: "Bob")
        #expect(room.reason(against: ratification) == .outranked(by: room.creation).of(entry: 1))
        #expect(room.roles["Carol"] == nil)
    }

    @Test func `who is kept and banned at once has only what they were kept with`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        let ratification = room.ratify(keep: [Kept("Bob", .member)], ban: ["Bob"], by: "Alice")
        #expect(room.counts(ratification))
        #expect(room.roles == ["Alice": .founder, "Bob": .member])
    }
}
