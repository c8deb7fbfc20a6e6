import Membership
import Testing

@Suite("What a revocation voids")
struct RevocationStories {
    @Test func `a removal voids what the removed admin does afterwards`() {
        var (room, _) = Self.roomOfAdmin()
        let removal = room.remove("Bob", by: "Alice")
        let late = room.add("Dave", by: "Bob")
        #expect(room.reason(against: late) == .revoked(by: removal))
        #expect(room.roles == ["Alice": .founder, "Carol": .member])
    }

    @Test func `a removal voids what the removed admin did concurrently`() {
        var (room, promotion) = Self.roomOfAdmin()
        let concurrent = room.add("Dave", by: "Bob", after: [promotion])
        let removal = room.remove("Bob", by: "Alice", after: [promotion])
        #expect(room.reason(against: concurrent) == .revoked(by: removal))
        #expect(room.roles == ["Alice": .founder, "Carol": .member])
    }

    @Test func `a removal leaves what it had seen`() {
        var (room, _) = Self.roomOfAdmin()
        let before = room.add("Dave", by: "Bob")
        room.remove("Bob", by: "Alice")
        #expect(room.counts(before))
        #expect(room.roles == ["Alice": .founder, "Carol": .member, "Dave": .member])
    }

    @Test func `back-dating does not help the removed`() {
        var (room, promotion) = Self.roomOfAdmin()
        let removal = room.remove("Bob", by: "Alice")
        for _ in 0..<3 { room.merge(by: "Carol") }
        let removalOfCarol = room.remove("Carol", by: "Bob", after: [promotion])
        let accomplice = room.promote("Carol", to: .admin, by: "Bob", after: [promotion])
        let name = room.set("name", to: "Bob's", by: "Bob", after: [promotion])
        for operation in [removalOfCarol, accomplice, name] {
            #expect(room.reason(against: operation) == .revoked(by: removal))
        }
        #expect(room.roles == ["Alice": .founder, "Carol": .member])
        #expect(room.name == nil)
    }

    @Test func `a removed senior does not undo their removal by back-dating`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let bob = room.promote("Bob", to: .admin, by: "Alice")
        room.promote("Carol", to: .admin, by: "Alice")
        let removal = room.remove("Bob", by: "Alice")
        let revenge = room.remove("Carol", by: "Bob", after: [bob])
        #expect(room.reason(against: revenge) == .revoked(by: removal))
        #expect(room.roles == ["Alice": .founder, "Carol": .admin])
    }

    @Test func `what a removed admin's removal had voided counts again`() {
        var (room, _) = Self.roomOfAdmin()
        let base = room.promote("Carol", to: .moderator, by: "Alice")
        let addition = room.add("Dave", by: "Carol", after: [base])
        let removal = room.remove("Carol", by: "Bob", after: [base])
        #expect(room.reason(against: addition) == .revoked(by: removal))
        let strike = room.remove("Bob", by: "Alice", after: [base])
        #expect(room.reason(against: removal) == .revoked(by: strike))
        #expect(room.counts(addition))
        #expect(room.roles == ["Alice": .founder, "Carol": .moderator, "Dave": .member])
    }

    @Test func `of two admins who remove each other the senior stays`() {
        var room = Room()
        let base = room.add("Bob", "Carol", by: "Alice")
        let bob = room.promote("Bob", to: .admin, by: "Alice", after: [base])
        let carol = room.promote("Carol", to: .admin, by: "Alice", after: [base])
        let juniors = room.remove("Bob", by: "Carol", after: [carol])
        let seniors = room.remove("Carol", by: "Bob", after: [bob])
        #expect(room.counts(seniors))
        #expect(room.reason(against: juniors) == .revoked(by: seniors))
        #expect(room.roles == ["Alice": .founder, "Bob": .admin])
    }

    @Test func `of two admins who have seen each other only the senior can remove`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let bob = room.promote("Bob", to: .admin, by: "Alice")
        let base = room.promote("Carol", to: .admin, by: "Alice")
        let juniors = room.remove("Bob", by: "Carol", after: [base])
        let seniors = room.remove("Carol", by: "Bob", after: [base])
        #expect(room.reason(against: juniors) == .outranked(by: bob))
        #expect(room.counts(seniors))
    }

    @Test func `of three admins who remove one another in a circle the senior decides`() {
        var room = Room()
        let base = room.add("Bob", "Carol", "Dave", by: "Alice")
        let admins = ["Bob", "Carol", "Dave"].map { room.promote($0, to: .admin, by: "Alice", after: [base]) }
        let daves = room.remove("Bob", by: "Dave", after: [admins[2]])
        let carols = room.remove("Dave", by: "Carol", after: [admins[1]])
        let bobs = room.remove("Carol", by: "Bob", after: [admins[0]])
        #expect(room.counts(bobs))
        #expect(room.reason(against: carols) == .revoked(by: bobs))
        // Nobody who counts has removed Dave; but what Dave removes of Bob's is not the office, which weighs more.
        #expect(room.counts(daves))
        #expect(room.roles == ["Alice": .founder, "Bob": .admin, "Dave": .admin])
    }

    @Test func `what stands on a void operation is void`() {
        var (room, base) = Self.roomOfAdmin()
        let accomplice = room.promote("Carol", to: .admin, by: "Bob", after: [base])
        let addition = room.add("Dave", by: "Carol")
        let promotion = room.promote("Dave", to: .moderator, by: "Carol")
        let removal = room.remove("Bob", by: "Alice", after: [base])
        #expect(room.reason(against: accomplice) == .revoked(by: removal))
        #expect(room.reason(against: addition) == .grantVoid(accomplice))
        #expect(room.reason(against: promotion) == .grantVoid(accomplice))
        #expect(room.roles == ["Alice": .founder, "Carol": .member])
    }

    @Test func `who acts under a grant that a lesser removal does not reach goes on`() {
        var room = Room()
        let base = room.add("Bob", "Carol", by: "Alice")
        let bob = room.promote("Bob", to: .admin, by: "Alice", after: [base])
        let carol = room.promote("Carol", to: .admin, by: "Alice", after: [base])
        room.remove("Bob", by: "Carol", after: [carol])
        let addition = room.add("Dave", by: "Bob", under: bob.grant())
        #expect(room.counts(addition))
    }

    @Test func `a demotion to moderator voids promotions and leaves additions`() {
        var (room, promotion) = Self.roomOfAdmin()
        let addition = room.add("Dave", by: "Bob", after: [promotion])
        let office = room.promote("Carol", to: .moderator, by: "Bob", after: [promotion])
        let name = room.set("name", to: "Bob's", by: "Bob", after: [promotion])
        let demotion = room.demote("Bob", to: .moderator, by: "Alice", after: [promotion])
        #expect(room.counts(addition))
        #expect(room.reason(against: office) == .revoked(by: demotion))
        #expect(room.reason(against: name) == .revoked(by: demotion))
        #expect(
            room.roles == ["Alice": .founder, "Bob": .moderator, "Carol": .member, "Dave": .member])
    }

    @Test func `a demotion to member voids additions and invites too`() {
        var (room, promotion) = Self.roomOfAdmin()
        let addition = room.add("Dave", by: "Bob", after: [promotion])
        let invite = room.invite("Erin", by: "Bob", after: [promotion])
        let demotion = room.demote("Bob", to: .member, by: "Alice", after: [promotion])
        #expect(room.reason(against: addition) == .revoked(by: demotion))
        #expect(room.reason(against: invite) == .revoked(by: demotion))
    }

    @Test func `a demoted admin takes nothing away under their old grant`() {
        var (room, promotion) = Self.roomOfAdmin()
        let invite = room.invite("Dave", by: "Bob")
        let demotion = room.demote("Bob", to: .moderator, by: "Alice")
        let old = promotion.grant()
        let operations = [
            room.remove("Carol", by: "Bob", under: old), room.cancel(invite, by: "Bob", under: old),
            room.ratify(keep: [Kept("Carol", .member)], by: "Bob", under: old),
        ]
        for operation in operations { #expect(room.reason(against: operation) == .revoked(by: demotion)) }
        let addition = room.add("Erin", by: "Bob", under: old)
        #expect(room.counts(addition))
    }

    @Test func `a demotion voids a concurrent demotion`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        let base = room.promote("Carol", to: .moderator, by: "Alice")
        let juniors = room.demote("Carol", to: .member, by: "Bob", after: [base])
        let seniors = room.demote("Bob", to: .moderator, by: "Alice", after: [base])
        #expect(room.reason(against: juniors) == .revoked(by: seniors))
        #expect(room.roles["Carol"] == .moderator)
    }

    @Test func `a ban voids like a removal`() {
        var (room, promotion) = Self.roomOfAdmin()
        let concurrent = room.add("Dave", by: "Bob", after: [promotion])
        let ban = room.ratify(ban: ["Bob"], by: "Alice", after: [promotion])
        #expect(room.reason(against: concurrent) == .revoked(by: ban))
    }

    @Test func `who leaves ends what they do afterwards`() {
        var (room, _) = Self.roomOfAdmin()
        let leave = room.leave("Bob")
        let late = room.add("Dave", by: "Bob")
        #expect(room.reason(against: late) == .revoked(by: leave))
    }

    @Test func `a stale phone that leaves does not undo what the laptop did`() {
        var (room, promotion) = Self.roomOfAdmin()
        let phone = room.leave("Bob", after: [promotion])
        let laptop = room.add("Dave", by: "Bob", after: [promotion])
        #expect(room.counts(phone))
        #expect(room.counts(laptop))
        #expect(room.roles == ["Alice": .founder, "Carol": .member, "Dave": .member])
    }

    @Test func `who steps down gives up their office from then on`() {
        var (room, promotion) = Self.roomOfAdmin()
        let concurrent = room.promote("Carol", to: .moderator, by: "Bob", after: [promotion])
        let stepdown = room.stepDown("Bob", after: [promotion])
        let late = room.add("Dave", by: "Bob", after: [stepdown])
        #expect(room.counts(concurrent))
        #expect(room.reason(against: late) == .revoked(by: stepdown))
        #expect(room.roles == ["Alice": .founder, "Bob": .member, "Carol": .moderator])
    }

    @Test func `who stepped down and was promoted again acts under the new grant only`() {
        var (room, promotion) = Self.roomOfAdmin()
        let stepdown = room.stepDown("Bob")
        let office = room.promote("Bob", to: .moderator, by: "Alice")
        let old = room.add("Dave", by: "Bob", under: promotion.grant())
        let new = room.add("Erin", by: "Bob", under: office.grant())
        #expect(room.reason(against: old) == .revoked(by: stepdown))
        #expect(room.counts(new))
    }

    @Test func `of two revocations the earlier is to blame`() {
        var (room, _) = Self.roomOfAdmin()
        let demotion = room.demote("Bob", to: .moderator, by: "Alice")
        room.remove("Bob", by: "Alice")
        let late = room.set("name", to: "Bob's", by: "Bob")
        #expect(room.reason(against: late) == .revoked(by: demotion))
    }

    /// Alice's group, in which Bob is admin and Carol a member.
    private static func roomOfAdmin() -> (Room, promotion: OperationName) {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let promotion = room.promote("Bob", to: .admin, by: "Alice")
        return (room, promotion)
    }
}
