import Membership
import Testing

@Suite("Archived groups")
struct ArchiveStories {
    @Test func `a group of one is archived until somebody is added`() {
        var room = Room()
        #expect(room.state.isArchived)
        room.add("Bob", by: "Alice")
        #expect(!room.state.isArchived)
        room.remove("Bob", by: "Alice")
        #expect(room.state.isArchived)
        room.join("Carol", room.invite("Carol", by: "Alice"))
        #expect(!room.state.isArchived)
    }

    @Test func `a pending invite does not end it`() {
        var room = Room()
        room.invite("Bob", by: "Alice")
        #expect(room.state.isArchived)
    }

    @Test func `the last one left can begin again`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        room.leave("Alice")
        #expect(room.state.isArchived)
        room.add("Carol", by: "Bob", under: .acting)
        #expect(!room.state.isArchived)
    }

    @Test func `a group that all have left is archived`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        room.leave("Bob")
        room.leave("Alice")
        #expect(room.state.isArchived)
        #expect(room.members == [])
        #expect(room.actingAdmin == nil)
    }

    @Test func `who waits does not count`() {
        var room = Room(capacity: 1)
        room.add("Bob", by: "Alice")
        #expect(room.state.isArchived)
    }
}
