import Membership
import Testing

@Suite("What a revocation reaches")
struct ReachStories {
    @Test
    func `is not what is granted after it`() {
        var story = Story(founder: "Alice")
        story.add("Bob", "Carol", by: "Alice")
        story.remove("Bob", by: "Alice")
        let again = story.add("Bob", by: "Alice")
        #expect(story.members == ["Alice": .founder, "Bob": .member, "Carol": .member])
        #expect(story.end.members.last?.madeBy == again, "he is new, whatever he was before")
    }

    @Test
    func `is also what is granted beside it`() {
        var story = Story(founder: "Alice")
        let added = story.add("Bob", "Carol", by: "Alice")
        story.promote("Carol", to: .moderator, by: "Alice")
        let both = story.promote("Bob", to: .moderator, by: "Alice")
        story.remove("Bob", by: "Alice", after: [both])
        story.add("Bob", by: "Carol", after: [both])
        #expect(story.void.isEmpty)
        #expect(story.members["Bob"] == nil, "\(added): all his grants are gone")
    }

    @Test
    func `is not what outranks it`() {
        var story = Story(founder: "Alice")
        story.add("Bob", "Carol", by: "Alice")
        let moderator = story.promote("Bob", to: .moderator, by: "Alice")
        // Bob removes Carol while Alice makes her admin.
        story.remove("Carol", by: "Bob", after: [moderator])
        story.promote("Carol", by: "Alice", after: [moderator])
        #expect(story.void.isEmpty)
        #expect(story.members["Carol"] == .admin)
    }

    @Test
    func `is also a join of an invite made before it`() {
        var story = Story(founder: "Alice")
        story.add("Bob", "Carol", by: "Alice")
        let invite = story.invite("Dave", by: "Alice")
        let added = story.add("Dave", by: "Alice")
        story.remove("Dave", by: "Alice")
        story.join(invite, by: "Dave", after: [invite])
        #expect(story.void.isEmpty)
        #expect(story.members["Dave"] == nil, "\(added) was taken back, and the old invite does not outlive that")
    }

    @Test
    func `of a stepdown is everything above member`() {
        var story = Story(founder: "Alice")
        story.add("Bob", "Carol", by: "Alice")
        story.promote("Bob", by: "Alice")
        story.stepDown("Alice")
        #expect(story.members == ["Alice": .member, "Bob": .admin, "Carol": .member])
    }

    @Test
    func `of a demotion is everything above its tier, but not what it grants itself`() {
        var story = Story(founder: "Alice")
        story.add("Bob", by: "Alice")
        story.promote("Bob", by: "Alice")
        story.demote("Bob", to: .moderator, by: "Alice")
        #expect(story.members["Bob"] == .moderator)
        story.promote("Bob", by: "Alice")
        #expect(story.members["Bob"] == .admin)
    }
}
