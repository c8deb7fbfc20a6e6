import Membership
import Testing

@Suite("Promoting")
struct PromotionStories {
    @Test(arguments: [Role.member, .moderator, .admin])
    func `a promotion grants a role up to admin`(role: Role) {
        var room = Room()
        room.add("Bob", by: "Alice")
        let promotion = room.promote("Bob", to: role, by: "Alice")
        #expect(room.counts(promotion))
        #expect(room.roles == ["Alice": .founder, "Bob": role])
    }

    @Test func `an admin makes others admin`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        room.promote("Carol", to: .admin, by: "Bob")
        #expect(room.roles == ["Alice": .founder, "Bob": .admin, "Carol": .admin])
    }

    @Test func `nobody makes a founder`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        let byFounder = room.promote("Bob", to: .founder, by: "Alice")
        #expect(room.reason(against: byFounder) == Reason(.grantsTooMuch))
        room.promote("Bob", to: .admin, by: "Alice")
        let byAdmin = room.promote("Bob", to: .founder, by: "Bob")
        #expect(room.reason(against: byAdmin) == Reason(.grantsTooMuch))
        #expect(room.roles == ["Alice": .founder, "Bob": .admin])
    }

    @Test func `only members are promoted`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        let stranger = room.promote("Mallory", to: .moderator, by: "Alice")
        #expect(room.reason(against: stranger) == Reason(.targetNotAMember))
        let removal = room.remove("Bob", by: "Alice")
        let removed = room.promote("Bob", to: .moderator, by: "Alice")
        #expect(room.reason(against: removed) == Reason(.targetNotAMember, by: removal))
        room.invite("Carol", by: "Alice")
        let invited = room.promote("Carol", to: .moderator, by: "Alice")
        #expect(room.reason(against: invited) == Reason(.targetNotAMember))
    }

    @Test func `a promotion lifts nobody down`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        room.promote("Bob", to: .moderator, by: "Alice")
        #expect(room.roles["Bob"] == .admin)
    }

    @Test func `who is promoted while they are removed by somebody lesser keeps the promotion`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let moderator = room.promote("Carol", to: .moderator, by: "Alice")
        let removal = room.remove("Bob", by: "Carol", after: [moderator])
        room.promote("Bob", to: .moderator, by: "Alice", after: [moderator])
        #expect(room.counts(removal))
        #expect(room.roles["Bob"] == .moderator)
    }
}
