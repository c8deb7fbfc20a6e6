import Membership
import Testing

@Suite("Who acts when nobody is admin")
struct SuccessionStories {
    @Test func `nobody acts while there is a founder or an admin`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        room.promote("Carol", to: .admin, by: "Alice")
        #expect(room.actingAdmin == nil)
        room.leave("Alice")
        #expect(room.actingAdmin == nil)
        #expect(room.roles == ["Bob": .member, "Carol": .admin])
    }

    @Test func `the oldest member acts when the founder has left, and counts as admin`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        room.leave("Alice")
        #expect(room.actingAdmin == "Bob")
        #expect(room.roles == ["Bob": .admin, "Carol": .member])
    }

    @Test func `a role gives no claim: the older member comes before a moderator`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        room.promote("Carol", to: .moderator, by: "Alice")
        room.leave("Alice")
        #expect(room.actingAdmin == "Bob")
    }

    @Test func `the depth goes before the slot, and the slot before the tie-breaker`() {
        var room = Room()
        room.add("Zoe", "Bob", by: "Alice")
        room.add("Adam", by: "Alice")
        room.leave("Alice")
        #expect(room.actingAdmin == "Zoe")
        room.leave("Zoe")
        #expect(room.actingAdmin == "Bob")
        room.leave("Bob")
        #expect(room.actingAdmin == "Adam")
    }

    @Test func `at equal depth and slot the tie-breaker decides`() {
        var room = Room()
        room.add("Carol", by: "Alice", after: [room.creation])
        room.add("Bob", by: "Alice", after: [room.creation])
        room.leave("Alice")
        #expect(room.actingAdmin == "Bob")
    }

    @Test func `who joined counts from what somebody decided after that, not from their invite`() {
        var room = Room()
        let invite = room.invite("Carol", by: "Alice")
        room.add("Bob", by: "Alice")
        let join = room.join("Carol", invite)
        room.add("Dave", by: "Alice", after: [join])
        let before = room
        room.leave("Alice")
        #expect(room.actingAdmin == "Bob")
        room.leave("Bob")
        #expect(room.actingAdmin == "Carol", "Alice had seen her when she added Dave")
        var other = before
        other.remove("Bob", by: "Alice")
        other.leave("Alice")
        #expect(other.actingAdmin == "Carol")
    }

    @Test func `whom a member added on old heads comes after those who were there`() {
        var room = Room()
        room.set(AddSetting.field, to: AddSetting.everyone, by: "Alice")
        let first = room.add("Mallory", by: "Alice")
        room.add("Bob", by: "Alice")
        let made = room.add("Adam", by: "Mallory", under: first.grant(), after: [first])
        room.leave("Alice")
        room.leave("Mallory")
        #expect(room.counts(made))
        #expect(room.actingAdmin == "Bob")
    }

    @Test func `the acting admin's first operation makes them admin`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        room.leave("Alice")
        room.set("name", to: "Moot", by: "Bob", under: .acting)
        #expect(room.actingAdmin == nil)
        #expect(room.roles == ["Bob": .admin, "Carol": .member])
        let promotion = room.promote("Carol", to: .admin, by: "Bob")
        #expect(room.counts(promotion))
    }

    @Test func `when the acting admin leaves the next one acts`() {
        var room = Room()
        room.add("Bob", "Carol", "Dave", by: "Alice")
        room.leave("Alice")
        room.leave("Bob")
        #expect(room.actingAdmin == "Carol")
        room.add("Erin", by: "Carol", under: .acting)
        room.leave("Carol")
        #expect(room.actingAdmin == "Dave")
    }

    @Test func `who stepped down comes last`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        room.stepDown("Alice")
        #expect(room.actingAdmin == "Bob")
        #expect(room.roles == ["Alice": .member, "Bob": .admin])
        room.leave("Bob")
        #expect(room.actingAdmin == "Alice")
    }

    @Test func `a last founder who steps down becomes acting admin`() {
        var room = Room()
        room.stepDown("Alice")
        #expect(room.actingAdmin == "Alice")
        let addition = room.add("Bob", by: "Alice", under: .acting)
        #expect(room.counts(addition))
    }

    @Test func `of several who stepped down the oldest comes first`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        room.promote("Carol", to: .admin, by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        room.leave("Alice")
        room.stepDown("Carol")
        room.stepDown("Bob")
        #expect(room.actingAdmin == "Bob")
    }

    @Test func `a stepdown that was none does not count against anybody`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        room.stepDown("Bob")
        room.leave("Alice")
        #expect(room.actingAdmin == "Bob")
    }

    @Test func `whom a departure had seen comes before whom it had not, however old`() {
        var room = Room()
        let phone = room.add("Bob", by: "Alice", after: [room.creation])
        let detour = room.merge(by: "Alice", after: [room.creation])
        let laptop = room.add("Carol", by: "Alice", after: [detour])
        room.leave("Alice", after: [laptop])
        #expect(room.counts(phone))
        #expect(room.actingAdmin == "Carol")
    }

    @Test func `who leaves does not choose the successor by adding them once more on old heads`() {
        var room = Room()
        let detour = room.merge(by: "Alice")
        let line = room.add("Bob", "Carol", by: "Alice", after: [detour])
        room.leave("Alice", after: [line])
        #expect(room.actingAdmin == "Bob")
        // Older than the grants that the leave had seen, but not seen by it.
        room.add("Carol", by: "Alice", after: [room.creation])
        #expect(room.actingAdmin == "Bob")
    }

    @Test func `an old grant that no departure had seen lends its age to no newer one`() {
        var room = Room()
        room.add("Dave", by: "Alice", after: [room.creation])
        let seen = room.add("Erin", "Dave", by: "Alice", after: [room.creation])
        room.stepDown("Alice", after: [seen])
        #expect(room.actingAdmin == "Erin")
    }

    @Test func `where all grants were capped, the oldest holder acts`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let moderator = room.promote("Carol", to: .moderator, by: "Alice")
        let removal = room.remove("Bob", by: "Carol")
        let admin = room.promote("Bob", to: .admin, by: "Alice", after: [moderator])
        room.leave("Alice", after: [removal, admin])
        room.leave("Carol")
        room.stepDown("Bob")
        #expect(room.actingAdmin == "Bob")
        #expect(room.roles == ["Bob": .admin])
        let addition = room.add("Dave", by: "Bob", under: .acting)
        #expect(room.counts(addition))
    }

    @Test func `an invite that a departure had seen is not yet a grant`() {
        var room = Room()
        let invite = room.invite("Bob", by: "Alice")
        let addition = room.add("Carol", by: "Alice")
        room.leave("Alice", after: [addition])
        room.join("Bob", invite, after: [addition])
        #expect(room.roles == ["Bob": .member, "Carol": .admin])
        #expect(room.actingAdmin == "Carol")
    }

    @Test func `who has a membership comes before who has an office only`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let base = room.promote("Carol", to: .moderator, by: "Alice")
        room.remove("Bob", by: "Carol", after: [base])
        room.promote("Bob", to: .moderator, by: "Alice", after: [base])
        room.add("Dave", by: "Alice")
        room.leave("Carol")
        room.leave("Alice")
        #expect(room.members == ["Dave", "Bob"])
        #expect(room.actingAdmin == "Dave")
        room.leave("Dave")
        #expect(room.actingAdmin == "Bob")
    }

    @Test func `an office makes nobody's membership older`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let base = room.promote("Carol", to: .moderator, by: "Alice")
        room.remove("Bob", by: "Carol", after: [base])
        room.promote("Bob", to: .moderator, by: "Alice", after: [base])
        room.add("Dave", by: "Alice")
        room.add("Bob", by: "Alice")
        room.leave("Carol")
        room.leave("Alice")
        #expect(room.members == ["Dave", "Bob"])
        #expect(room.actingAdmin == "Dave")
    }

    @Test func `a moderator does not choose the successor concurrently with the departure`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let base = room.promote("Carol", to: .moderator, by: "Alice")
        let removal = room.remove("Bob", by: "Carol", after: [base])
        room.leave("Alice", after: [base])
        #expect(room.counts(removal))
        #expect(room.actingAdmin == "Bob")
        #expect(room.roles == ["Bob": .admin, "Carol": .moderator])
        let strike = room.remove("Carol", by: "Bob", under: .acting)
        #expect(room.counts(strike))
        #expect(room.roles == ["Bob": .admin])
    }

    @Test func `a moderator's removal that the departure had seen counts`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        room.promote("Carol", to: .moderator, by: "Alice")
        room.remove("Bob", by: "Carol")
        room.leave("Alice")
        #expect(room.actingAdmin == "Carol")
    }

    @Test func `one departure that had seen the removal is enough`() {
        var room = Room()
        room.add("Bob", "Carol", "Dave", by: "Alice")
        room.promote("Dave", to: .admin, by: "Alice")
        let base = room.promote("Carol", to: .moderator, by: "Alice")
        let removal = room.remove("Bob", by: "Carol", after: [base])
        room.leave("Alice", after: [base])
        room.leave("Dave", after: [removal])
        #expect(room.actingAdmin == "Carol")
    }

    @Test func `an admin's removal counts concurrently with the departure too`() {
        var room = Room()
        room.add("Bob", "Carol", "Dave", by: "Alice")
        let base = room.promote("Carol", to: .admin, by: "Alice")
        let removal = room.remove("Bob", by: "Carol", after: [base])
        room.leave("Carol", after: [removal])
        room.leave("Alice", after: [base])
        #expect(room.actingAdmin == "Dave")
    }

    @Test func `a moderator's ban is none: only removals are set aside`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let moderator = room.promote("Carol", to: .moderator, by: "Alice")
        let ban = room.ratify(ban: ["Bob"], by: "Carol", after: [moderator])
        room.leave("Alice", after: [moderator])
        #expect(room.reason(against: ban) == Reason(.roleTooLow, by: moderator))
        #expect(room.actingAdmin == "Bob")
    }

    @Test func `nobody acts where nobody is left`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        room.leave("Bob")
        room.leave("Alice")
        #expect(room.actingAdmin == nil)
    }

    @Test func `whoever is promoted ends it`() {
        var room = Room()
        let base = room.add("Bob", "Carol", by: "Alice")
        room.leave("Alice", after: [base])
        #expect(room.actingAdmin == "Bob")
        room.promote("Carol", to: .admin, by: "Alice", after: [base])
        #expect(room.actingAdmin == nil)
        #expect(room.roles == ["Bob": .member, "Carol": .admin])
    }

    @Test func `the acting admin without a live grant of their own is not promoted`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let base = room.promote("Carol", to: .moderator, by: "Alice")
        let removal = room.remove("Bob", by: "Carol", after: [base])
        room.leave("Alice", after: [base])
        #expect(room.actingAdmin == "Bob")
        let promotion = room.promote("Bob", to: .member, by: "Bob", under: .acting)
        #expect(room.reason(against: promotion) == Reason(.targetNotAMember, by: removal))
    }
}
