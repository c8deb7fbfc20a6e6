import Membership
import Testing

@Suite("When no admin is left")
struct SuccessionStories {
    /// Alice founds the group and adds Bob, then Carol, then Dave.
    private static func group() -> Story {
        var story = Story(founder: "Alice")
        for person in ["Bob", "Carol", "Dave"] { story.add(person, by: "Alice") }
        return story
    }

    @Test
    func `the oldest member acts, and becomes admin by acting`() {
        var story = Self.group()
        story.leave("Alice")
        #expect(story.end.actingAdmin == "Bob")
        #expect(story.members == ["Bob": .admin, "Carol": .member, "Dave": .member])
        story.rename("Bob's", by: "Bob")
        #expect(story.void.isEmpty)
        #expect(story.end.actingAdmin == nil, "he is admin now")
        #expect(story.members["Bob"] == .admin)
        #expect(story.end.registers == ["name": "Bob's"])
    }

    @Test
    func `nobody else acts, and nobody acts while an admin is there`() {
        var story = Self.group()
        let early = story.rename("Bob's", by: "Bob", under: .acting)
        story.leave("Alice")
        let usurper = story.rename("Carol's", by: "Carol", under: .acting)
        #expect(story.void == [early: .because(.notActingAdmin), usurper: .because(.notActingAdmin)])
    }

    @Test
    func `a promotion makes nobody more senior, and an admin beside the departure ends the acting`() {
        var story = Self.group()
        let dave = story.promote("Dave", to: .moderator, by: "Alice")
        let leave = story.leave("Alice", after: [dave])
        #expect(story.end.actingAdmin == "Bob")
        story.promote("Carol", by: "Alice", after: [dave])
        #expect(story.end.actingAdmin == nil)
        #expect(story.void.isEmpty, "\(leave) undoes nothing beside it")
        #expect(story.members == ["Bob": .member, "Carol": .admin, "Dave": .moderator])
    }

    @Test
    func `who stepped down comes last`() {
        var story = Self.group()
        story.stepDown("Alice")
        #expect(story.end.actingAdmin == "Bob")
        for person in ["Bob", "Carol", "Dave"] { story.leave(person) }
        #expect(story.end.actingAdmin == "Alice", "there is nobody else")
        #expect(story.members == ["Alice": .admin])
    }

    @Test
    func `who was there when the admin left comes before who was added beside it`() {
        var story = Story(founder: "Alice")
        let carol = story.add("Carol", by: "Alice")
        let moderator = story.promote("Carol", to: .moderator, by: "Alice")
        // Beside the departure Alice's laptop adds Bob, at a smaller depth than Dave has.
        let early = story.add("Bob", by: "Alice", after: [carol])
        let later = story.add("Dave", by: "Alice", after: [moderator])
        story.leave("Alice", after: [later])
        story.leave("Carol", after: [later])
        #expect(story.end.actingAdmin == "Dave", "\(early) was not seen by the departure")
    }

    @Test
    func `the acting admin cannot be removed, demoted or banned`() {
        var story = Self.group()
        let moderator = story.promote("Dave", to: .moderator, by: "Alice")
        story.leave("Alice")
        let removal = story.remove("Bob", by: "Dave", under: .grant(moderator, slot: 1))
        #expect(story.void == [removal: .because(.targetIsActingAdmin)])
        #expect(story.end.actingAdmin == "Bob")
    }

    @Test
    func `a moderator cannot choose the successor by removing others beside the departure`() {
        var story = Self.group()
        let moderator = story.promote("Dave", to: .moderator, by: "Alice")
        story.leave("Alice", after: [moderator])
        story.remove("Bob", by: "Dave", after: [moderator])
        #expect(story.void.isEmpty)
        #expect(story.end.actingAdmin == "Bob", "the removal does not matter for the succession")
        #expect(story.members == ["Bob": .admin, "Carol": .member, "Dave": .moderator])
    }

    @Test
    func `a removal by a moderator counts if the departure had seen it`() {
        var story = Self.group()
        story.promote("Dave", to: .moderator, by: "Alice")
        story.remove("Bob", by: "Dave")
        story.leave("Alice")
        #expect(story.end.actingAdmin == "Carol")
    }

    @Test
    func `who was thrown out does not change the succession by leaving once more`() {
        var story = Self.group()
        let bob = story.promote("Bob", by: "Alice")
        let removal = story.remove("Bob", by: "Alice", after: [bob])
        let erin = story.add("Erin", by: "Alice", after: [removal])
        story.leave("Bob", after: [bob])
        story.leave("Alice", after: [erin])
        #expect(story.end.actingAdmin == "Carol")
    }

    @Test
    func `a removed last admin is succeeded as well`() {
        var story = Self.group()
        let carol = story.promote("Carol", by: "Alice")
        story.promote("Dave", by: "Carol")
        story.leave("Alice", after: [carol])
        story.remove("Dave", by: "Carol", under: .grant(carol, slot: 1))
        story.leave("Carol")
        #expect(story.end.actingAdmin == "Bob")
        #expect(story.void.isEmpty)
    }
}
