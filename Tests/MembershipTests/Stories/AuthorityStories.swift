import Membership
import Testing

@Suite("What an operation acts under")
struct AuthorityStories {
    @Test func `a moderator adds, invites, cancels and removes`() {
        var (room, _) = Self.roomOfModerator()
        let addition = room.add("Dave", by: "Bob")
        let invite = room.invite("Erin", by: "Bob")
        let cancellation = room.cancel(invite, by: "Bob")
        let removal = room.remove("Carol", by: "Bob")
        for operation in [addition, invite, cancellation, removal] { #expect(room.counts(operation)) }
        #expect(room.roles == ["Alice": .founder, "Bob": .moderator, "Dave": .member])
    }

    @Test func `a moderator neither promotes, demotes, sets nor ratifies`() {
        var (room, promotion) = Self.roomOfModerator()
        let operations = [
            room.promote("Carol", to: .moderator, by: "Bob"), room.demote("Carol", to: .member, by: "Bob"),
            room.set("name", to: "Bob's", by: "Bob"), room.ratify(keep: [Kept("Carol", .member)], by: "Bob"),
        ]
        for operation in operations { #expect(room.reason(against: operation) == Reason(.roleTooLow, by: promotion)) }
    }

    @Test func `an admin does all of it`() {
        var room = Room()
        room.add("Bob", "Carol", "Dave", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        room.add("Erin", by: "Bob")
        room.cancel(room.invite("Frank", by: "Bob"), by: "Bob")
        room.promote("Carol", to: .admin, by: "Bob")
        room.demote("Carol", to: .moderator, by: "Bob")
        room.remove("Dave", by: "Bob")
        room.set("name", to: "Moot", by: "Bob")
        room.ratify(keep: [Kept("Erin", .moderator)], ban: ["Dave"], by: "Bob")
        #expect(room.void == [])
        #expect(
            room.roles == ["Alice": .founder, "Bob": .admin, "Carol": .moderator, "Erin": .moderator])
        #expect(room.name == "Moot")
    }

    @Test func `a member does none of it`() {
        var room = Room()
        let base = room.add("Bob", "Carol", by: "Alice")
        let invite = room.invite("Dave", by: "Alice")
        let bobsGrant = base.grant(1)
        let operations = [
            room.add("Erin", by: "Bob", under: bobsGrant), room.invite("Erin", by: "Bob", under: bobsGrant),
            room.cancel(invite, by: "Bob", under: bobsGrant), room.remove("Carol", by: "Bob", under: bobsGrant),
            room.promote("Bob", to: .admin, by: "Bob", under: bobsGrant),
            room.demote("Carol", to: .member, by: "Bob", under: bobsGrant),
            room.set("name", to: "Bob's", by: "Bob", under: bobsGrant), room.ratify(by: "Bob", under: bobsGrant),
        ]
        for operation in operations { #expect(room.reason(against: operation) == Reason(.roleTooLow, by: base)) }
        #expect(room.roles == ["Alice": .founder, "Bob": .member, "Carol": .member])
    }

    @Test func `a grant that the author had not seen is none`() {
        var room = Room()
        let base = room.add("Bob", by: "Alice")
        let promotion = room.promote("Bob", to: .admin, by: "Alice")
        let early = room.add("Carol", by: "Bob", under: promotion.grant(), after: [base])
        #expect(room.reason(against: early) == Reason(.grantUnknown))
    }

    @Test(arguments: [1, 2, 7, .max] as [UInt64])
    func `a slot that holds no grant is none`(slot: UInt64) {
        var room = Room()
        let name = room.set("name", to: "Moot", by: "Alice")
        let addition = room.add("Bob", by: "Alice", under: name.grant(slot))
        #expect(room.reason(against: addition) == Reason(.grantUnknown))
        let other = room.add("Bob", by: "Alice", under: room.creation.grant(slot + (slot == 1 ? 1 : 0)))
        #expect(room.reason(against: other) == Reason(.grantUnknown))
    }

    @Test func `an operation that nobody wrote makes no grant`() {
        var room = Room()
        let addition = room.add("Bob", by: "Alice", under: .grant("nowhere", slot: 0))
        #expect(room.reason(against: addition) == Reason(.grantUnknown))
    }

    @Test func `nobody acts under somebody else's grant`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        let theft = room.add("Carol", by: "Bob", under: room.creation.grant(0))
        #expect(room.reason(against: theft) == Reason(.grantOfAnother, by: room.creation))
    }

    @Test func `nobody acts as acting admin while somebody is founder`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        let presumption = room.add("Carol", by: "Bob", under: .acting)
        #expect(room.reason(against: presumption) == Reason(.notActingAdmin, by: room.creation))
        let founder = room.add("Carol", by: "Alice", under: .acting)
        #expect(room.reason(against: founder) == Reason(.notActingAdmin, by: room.creation))
    }

    @Test func `the acting admin acts, and the next in line does not`() {
        var room = Room()
        let addition = room.add("Bob", "Carol", by: "Alice")
        let departure = room.leave("Alice")
        let early = room.add("Dave", by: "Carol", under: .acting, after: [departure])
        let rightful = room.add("Erin", by: "Bob", under: .acting, after: [departure])
        #expect(room.reason(against: early) == Reason(.notActingAdmin, by: addition))
        #expect(room.counts(rightful))
        #expect(room.roles == ["Bob": .admin, "Carol": .member, "Erin": .member])
    }

    @Test func `who acts is read in the past of the operation, whatever others did since`() {
        var room = Room()
        let base = room.add("Bob", "Carol", by: "Alice")
        let phone = room.leave("Alice", after: [base])
        room.promote("Carol", to: .admin, by: "Alice", after: [base])
        let rightful = room.add("Dave", by: "Bob", under: .acting, after: [phone])
        #expect(room.counts(rightful))
        #expect(room.roles == ["Bob": .admin, "Carol": .admin, "Dave": .member])
    }

    @Test func `the grant of an acting admin serves them later`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        room.leave("Alice")
        let first = room.add("Dave", by: "Bob", under: .acting)
        let second = room.promote("Carol", to: .admin, by: "Bob", under: first.grant(0))
        #expect(room.counts(second))
        #expect(room.roles == ["Bob": .admin, "Carol": .admin, "Dave": .member])
    }

    @Test func `whether a grant still stands is not asked of the past: the revocation is to blame`() {
        var (room, _) = Self.roomOfModerator()
        let removal = room.remove("Bob", by: "Alice")
        let late = room.add("Dave", by: "Bob")
        #expect(room.reason(against: late) == .revoked(by: removal))
    }

    /// Alice's group, in which Bob is moderator and Carol a member.
    private static func roomOfModerator() -> (Room, promotion: OperationName) {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let promotion = room.promote("Bob", to: .moderator, by: "Alice")
        return (room, promotion)
    }
}
