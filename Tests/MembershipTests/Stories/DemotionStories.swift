import Membership
import Testing

@Suite("Demoting")
struct DemotionStories {
    @Test(arguments: [Role.member, .moderator])
    func `a demotion leaves at most the named role`(role: Role) {
        var room = Room()
        room.add("Bob", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        let demotion = room.demote("Bob", to: role, by: "Alice")
        #expect(room.counts(demotion))
        #expect(room.roles == ["Alice": .founder, "Bob": role])
    }

    @Test func `a demotion leaves less than there was, and less than admin`() {
        var room = Room()
        room.add("Bob", "Carol", "Dave", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        room.promote("Carol", to: .moderator, by: "Alice")
        let operations = [
            room.demote("Bob", to: .admin, by: "Alice"), room.demote("Bob", to: .founder, by: "Alice"),
            room.demote("Carol", to: .moderator, by: "Alice"), room.demote("Carol", to: .admin, by: "Alice"),
            room.demote("Dave", to: .member, by: "Alice"), room.demote("Dave", to: .moderator, by: "Alice"),
        ]
        for operation in operations { #expect(room.reason(against: operation) == Reason(.demotesToNothingLess)) }
        #expect(room.roles == ["Alice": .founder, "Bob": .admin, "Carol": .moderator, "Dave": .member])
    }

    @Test func `nobody demotes themselves, a stranger, the acting admin or their better`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let senior = room.promote("Bob", to: .admin, by: "Alice")
        let junior = room.promote("Carol", to: .admin, by: "Alice")
        let ofSelf = room.demote("Bob", to: .member, by: "Bob")
        let stranger = room.demote("Mallory", to: .member, by: "Bob")
        let better = room.demote("Bob", to: .member, by: "Carol")
        let founder = room.demote("Alice", to: .member, by: "Carol")
        #expect(room.reason(against: ofSelf) == Reason(.targetsSelf))
        #expect(room.reason(against: stranger) == Reason(.targetNotAMember))
        #expect(room.reason(against: better) == .outranked(by: senior))
        #expect(room.reason(against: founder) == .outranked(by: room.creation))
        #expect(room.counts(junior))
    }

    @Test func `the acting admin is not demoted`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let admin = room.promote("Carol", to: .admin, by: "Alice")
        room.leave("Alice")
        room.stepDown("Carol")
        #expect(room.actingAdmin == "Bob")
        let demotion = room.demote("Bob", to: .member, by: "Carol", under: admin.grant())
        #expect(room.reason(against: demotion) == Reason(.targetIsActingAdmin))
    }

    @Test func `a demotion grants what it leaves, and the demoted acts under it`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        let demotion = room.demote("Bob", to: .moderator, by: "Alice")
        let removal = room.remove("Carol", by: "Bob", under: demotion.grant())
        #expect(room.counts(removal))
        #expect(room.roles == ["Alice": .founder, "Bob": .moderator])
    }

    @Test func `a demotion takes what was granted concurrently`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        room.promote("Carol", to: .admin, by: "Alice")
        let moderator = room.promote("Bob", to: .moderator, by: "Alice")
        room.promote("Bob", to: .admin, by: "Carol", after: [moderator])
        room.demote("Bob", to: .member, by: "Alice", after: [moderator])
        #expect(room.roles["Bob"] == .member)
    }

    @Test func `who is promoted again after a demotion has the new grant`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        room.demote("Bob", to: .member, by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        #expect(room.roles["Bob"] == .admin)
    }

    @Test func `a demotion makes nobody a member who was removed concurrently`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        let promotion = room.promote("Bob", to: .admin, by: "Alice")
        let demotion = room.demote("Bob", to: .moderator, by: "Alice", after: [promotion])
        let removal = room.remove("Bob", by: "Alice", after: [promotion])
        #expect(room.counts(demotion))
        #expect(room.counts(removal))
        #expect(room.roles == ["Alice": .founder])
    }
}
