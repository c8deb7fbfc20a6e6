import Membership
import Testing

@Suite("Name, photo and description")
struct RegisterStories {
    @Test func `a later write beats what it saw, whoever wrote that`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        room.set("name", to: "Alice's", by: "Alice")
        room.set("name", to: "Bob's", by: "Bob")
        #expect(room.name == "Bob's")
    }

    @Test func `of two concurrent writes the deeper one counts`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        let base = room.promote("Bob", to: .admin, by: "Alice")
        let detour = room.merge(by: "Bob", after: [base])
        room.set("name", to: "Bob's", by: "Bob", after: [detour])
        room.set("name", to: "Alice's", by: "Alice", after: [base])
        #expect(room.name == "Bob's")
    }

    @Test func `at equal depth the greater rank counts`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        let base = room.promote("Carol", to: .admin, by: "Alice")
        room.set("name", to: "Carol's", by: "Carol", after: [base], as: "a")
        room.set("name", to: "Bob's", by: "Bob", after: [base], as: "b")
        #expect(room.name == "Bob's")
        room.set("name", to: "Alice's", by: "Alice", after: [base], as: "c")
        #expect(room.name == "Alice's")
    }

    @Test func `at equal depth and rank the smaller id counts`() {
        var room = Room()
        let base = room.add("Bob", by: "Alice")
        room.set("name", to: "the second", by: "Alice", after: [base], as: "b")
        room.set("name", to: "the first", by: "Alice", after: [base], as: "a")
        room.set("name", to: "the third", by: "Alice", after: [base], as: "c")
        #expect(room.name == "the first")
    }

    @Test func `a void write is forgotten, and the one before it counts again`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        let base = room.set("name", to: "Alice's", by: "Alice")
        let write = room.set("name", to: "Bob's", by: "Bob")
        #expect(room.name == "Bob's")
        let removal = room.remove("Bob", by: "Alice", after: [base])
        #expect(room.reason(against: write) == .revoked(by: removal))
        #expect(room.name == "Alice's")
    }

    @Test func `each field stands for itself`() {
        var room = Room()
        room.set("name", to: "Moot", by: "Alice")
        room.set("description", to: "A group", by: "Alice")
        room.set("name", to: "Moot 2", by: "Alice")
        #expect(room.state.registers == ["name": "Moot 2", "description": "A group"])
    }

    @Test func `what the acting admin writes counts`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        room.leave("Alice")
        room.set("name", to: "Bob's", by: "Bob", under: .acting)
        #expect(room.name == "Bob's")
    }

    @Test func `an empty value is a value`() {
        var room = Room()
        room.set("name", to: "Moot", by: "Alice")
        room.set("name", to: "", by: "Alice")
        #expect(room.name == "")
    }
}
