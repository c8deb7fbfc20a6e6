import Membership
import Testing

@Suite("Creating a group")
struct CreationStories {
    @Test func `who creates a group is its founder`() {
        let room = Room(founder: "Alice")
        #expect(room.roles == ["Alice": .founder])
        #expect(room.counts(room.creation))
    }

    @Test func `a group is created once`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        let again = room.create(by: "Bob")
        #expect(room.reason(against: again) == Reason(.notTheRoot))
        #expect(room.roles == ["Alice": .founder, "Bob": .member])
    }

    @Test func `the founder of a second creation has nothing to act under`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        let again = room.create(by: "Bob")
        let removal = room.remove("Alice", by: "Bob", under: again.grant(0))
        #expect(room.reason(against: removal) == .outranked(by: room.creation))
        let addition = room.add("Carol", by: "Bob", under: again.grant(0))
        #expect(room.reason(against: addition) == .grantVoid(again))
    }
}
