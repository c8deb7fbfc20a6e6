import Membership
import Testing

@Suite("Removing")
struct RemovalStories {
    @Test func `a removed member is out`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let removal = room.remove("Bob", by: "Alice")
        #expect(room.counts(removal))
        #expect(room.roles == ["Alice": .founder, "Carol": .member])
    }

    @Test func `nobody removes themselves`() {
        var room = Room()
        let removal = room.remove("Alice", by: "Alice")
        #expect(room.reason(against: removal) == Reason(.targetsSelf))
    }

    @Test func `only members are removed`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        let stranger = room.remove("Mallory", by: "Alice")
        #expect(room.reason(against: stranger) == Reason(.targetNotAMember))
        let removal = room.remove("Bob", by: "Alice")
        let again = room.remove("Bob", by: "Alice")
        #expect(room.reason(against: again) == Reason(.targetNotAMember, by: removal))
        let forged = room.add("Carol", by: "Mallory", under: room.creation.grant(0))
        let phantom = room.remove("Carol", by: "Alice")
        #expect(room.reason(against: phantom) == Reason(.targetNotAMember, by: forged))
    }

    @Test func `the acting admin is not removed, though they hold no more than others`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        room.promote("Carol", to: .moderator, by: "Alice")
        room.leave("Alice")
        let removal = room.remove("Bob", by: "Carol")
        #expect(room.reason(against: removal) == Reason(.targetIsActingAdmin))
        #expect(room.actingAdmin == "Bob")
    }

    @Test func `a moderator removes members, and neither moderators nor admins nor the founder`() {
        var room = Room()
        room.add("Bob", "Carol", "Dave", "Erin", by: "Alice")
        room.promote("Bob", to: .moderator, by: "Alice")
        let moderator = room.promote("Carol", to: .moderator, by: "Alice")
        let admin = room.promote("Dave", to: .admin, by: "Alice")
        let ofMember = room.remove("Erin", by: "Bob")
        let ofModerator = room.remove("Carol", by: "Bob")
        let ofAdmin = room.remove("Dave", by: "Bob")
        let ofFounder = room.remove("Alice", by: "Bob")
        #expect(room.counts(ofMember))
        #expect(room.reason(against: ofModerator) == .outranked(by: moderator))
        #expect(room.reason(against: ofAdmin) == .outranked(by: admin))
        #expect(room.reason(against: ofFounder) == .outranked(by: room.creation))
    }

    @Test func `the senior admin removes the junior, never the other way round`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let senior = room.promote("Bob", to: .admin, by: "Alice")
        let junior = room.promote("Carol", to: .admin, by: "Alice")
        let upwards = room.remove("Bob", by: "Carol", after: [junior])
        let downwards = room.remove("Carol", by: "Bob", after: [junior])
        #expect(room.reason(against: upwards) == .outranked(by: senior))
        #expect(room.counts(downwards))
        #expect(room.roles == ["Alice": .founder, "Bob": .admin])
    }

    @Test func `nobody removes the founder`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        let coup = room.remove("Alice", by: "Bob")
        #expect(room.reason(against: coup) == .outranked(by: room.creation))
    }

    @Test func `one grant too high protects all others`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let senior = room.promote("Bob", to: .admin, by: "Alice")
        room.promote("Carol", to: .admin, by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        let removal = room.remove("Bob", by: "Carol")
        #expect(room.reason(against: removal) == .outranked(by: senior))
    }

    @Test func `what a demotion left of a grant weighs what the whole weighed`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let moderator = room.promote("Bob", to: .moderator, by: "Alice")
        room.promote("Carol", to: .moderator, by: "Alice")
        room.demote("Bob", to: .member, by: "Alice")
        #expect(room.roles["Bob"] == .member)
        let removal = room.remove("Bob", by: "Carol")
        #expect(room.reason(against: removal) == .outranked(by: moderator))
    }

    @Test func `a founder who stepped down is not removed either`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        room.stepDown("Alice")
        #expect(room.roles == ["Alice": .member, "Bob": .admin])
        let removal = room.remove("Alice", by: "Bob")
        #expect(room.reason(against: removal) == .outranked(by: room.creation))
    }

    @Test func `who waits for room can be removed`() {
        var room = Room(capacity: 2)
        room.add("Bob", "Carol", by: "Alice")
        #expect(room.waiting == ["Carol"])
        let removal = room.remove("Carol", by: "Alice")
        #expect(room.counts(removal))
        #expect(room.waiting == [])
    }
}
