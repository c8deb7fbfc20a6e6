import Membership
import Testing

@Suite("What follows from what counts")
struct StateStories {
    @Test
    func `members stand by role, then by seniority`() {
        var story = Story(founder: "Alice")
        story.add("Dave", "Carol", by: "Alice")
        story.add("Bob", by: "Alice")
        story.promote("Bob", to: .moderator, by: "Alice")
        #expect(story.end.members.map(\.person) == ["Alice", "Bob", "Dave", "Carol"])
        story.demote("Bob", by: "Alice")
        #expect(story.end.members.map(\.person) == ["Alice", "Dave", "Carol", "Bob"])
    }

    @Test
    func `the first admitted are the highest, then the oldest, the rest wait and keep their authority`() {
        var story = Story(founder: "Alice", capacity: 3)
        for person in ["Bob", "Carol", "Dave", "Erin"] { story.add(person, by: "Alice") }
        #expect(story.end.members.map(\.person) == ["Alice", "Bob", "Carol"])
        #expect(story.end.waitlist.map(\.person) == ["Dave", "Erin"])
        story.promote("Erin", to: .moderator, by: "Alice")
        #expect(story.end.members.map(\.person) == ["Alice", "Erin", "Bob"])
        story.remove("Dave", by: "Erin")
        #expect(story.end.waitlist.map(\.person) == ["Carol"])
        #expect(story.void.isEmpty)
    }

    @Test
    func `the acting admin comes first, in capacity too`() {
        var story = Story(founder: "Alice", capacity: 1)
        story.add("Bob", "Carol", by: "Alice")
        story.promote("Carol", to: .moderator, by: "Alice")
        story.leave("Alice")
        #expect(story.end.members.map(\.person) == ["Bob"])
        #expect(story.end.waitlist.map(\.person) == ["Carol"])
    }

    @Test
    func `one member alone is an archive, until somebody is added`() {
        var story = Story(founder: "Alice")
        #expect(story.end.isArchived)
        story.add("Bob", by: "Alice")
        #expect(!story.end.isArchived)
        story.leave("Bob")
        #expect(story.end.isArchived)
        story.add("Carol", by: "Alice")
        #expect(!story.end.isArchived)
    }

    @Test
    func `the later write wins, whatever it weighs`() {
        var story = Story(founder: "Alice")
        story.add("Bob", by: "Alice")
        story.promote("Bob", by: "Alice")
        story.rename("Alice's", by: "Alice")
        story.rename("Bob's", by: "Bob")
        #expect(story.end.registers == ["name": "Bob's"])
    }

    @Test
    func `of two writes side by side the weightier wins, then the smaller id`() {
        var story = Story(founder: "Alice")
        story.add("Bob", by: "Alice")
        let bob = story.promote("Bob", by: "Alice")
        story.rename("Bob's", by: "Bob", after: [bob])
        story.rename("Alice's", by: "Alice", after: [bob])
        #expect(story.end.registers == ["name": "Alice's"])
        // Under the same grant, from her other device.
        let another = story.rename("A", by: "Alice", after: [bob])
        #expect(story.end.registers == ["name": "A"], "\(another) is smaller than rename-Alice's/4")
    }

    @Test
    func `a name given by a removed admin gives way to the one before`() {
        var story = Story(founder: "Alice")
        story.add("Bob", "Carol", by: "Alice")
        let bob = story.promote("Bob", by: "Alice")
        let first = story.rename("Ours", by: "Alice", after: [bob])
        story.rename("Bob's", by: "Bob", after: [first])
        #expect(story.end.registers == ["name": "Bob's"])
        story.remove("Bob", by: "Alice", after: [first])
        #expect(story.end.registers == ["name": "Ours"])
    }
}
