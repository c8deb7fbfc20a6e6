import Membership
import Testing

@Suite("Room for 256")
struct CapacityStories {
    private static let crowd = (100..<360).map { "Guest \($0)" }

    @Test func `the first 256 are let in and the rest wait in the order of seniority`() {
        var room = Room()
        room.add(Self.crowd, by: "Alice")
        #expect(room.members == ["Alice"] + Self.crowd.prefix(255))
        #expect(room.waiting == Array(Self.crowd.dropFirst(255)))
    }

    @Test func `who waits longest takes the place of who leaves`() {
        var room = Room(capacity: 3)
        room.add("Bob", "Carol", "Dave", "Erin", by: "Alice")
        #expect(room.waiting == ["Dave", "Erin"])
        room.leave("Bob")
        #expect(room.members == ["Alice", "Carol", "Dave"])
        #expect(room.waiting == ["Erin"])
    }

    @Test func `a role goes before seniority`() {
        var room = Room(capacity: 3)
        room.add("Bob", "Carol", "Dave", by: "Alice")
        room.promote("Dave", to: .moderator, by: "Alice")
        #expect(room.members == ["Alice", "Dave", "Bob"])
        #expect(room.waiting == ["Carol"])
    }

    @Test func `who waits has no role and is no member`() {
        var room = Room(capacity: 2)
        room.add("Bob", "Carol", by: "Alice")
        #expect(room.state.role(of: "Carol") == nil)
        #expect(room.roles == ["Alice": .founder, "Bob": .member])
    }

    @Test func `waiting takes away no authority`() {
        var room = Room(capacity: 1)
        room.add("Bob", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        #expect(room.waiting == ["Bob"])
        let addition = room.add("Carol", by: "Bob")
        let name = room.set("name", to: "Moot", by: "Bob")
        let promotion = room.promote("Carol", to: .moderator, by: "Bob")
        for operation in [addition, name, promotion] { #expect(room.counts(operation)) }
        #expect(room.waiting == ["Bob", "Carol"])
    }

    @Test func `who would wait can join`() {
        var room = Room(capacity: 1)
        let join = room.join("Bob", room.invite("Bob", by: "Alice"))
        #expect(room.counts(join))
        #expect(room.waiting == ["Bob"])
    }

    @Test func `the acting admin is let in first`() {
        var room = Room(capacity: 2)
        room.add("Bob", "Carol", "Dave", by: "Alice")
        room.promote("Carol", to: .moderator, by: "Alice")
        room.promote("Dave", to: .moderator, by: "Alice")
        room.leave("Alice")
        #expect(room.actingAdmin == "Bob")
        #expect(room.members == ["Bob", "Carol"])
        #expect(room.waiting == ["Dave"])
    }

    @Test func `an acting admin without a live grant takes a place too`() {
        var room = Room(capacity: 2)
        room.add("Bob", "Carol", "Dave", by: "Alice")
        let base = room.promote("Carol", to: .moderator, by: "Alice")
        room.remove("Bob", by: "Carol", after: [base])
        room.leave("Alice", after: [base])
        #expect(room.members == ["Bob", "Carol"])
        #expect(room.waiting == ["Dave"])
    }

    @Test func `nobody is let in where there is no room`() {
        var room = Room(capacity: 0)
        room.add("Bob", by: "Alice")
        #expect(room.members == [])
        #expect(room.waiting == ["Alice", "Bob"])
    }
}
