import Membership
import Testing

@Suite("A removal")
struct RevocationStories {
    /// Alice founds the group with Bob, Carol and Dave, and makes Bob, then Carol admin.
    private static func admins() -> (story: Story, bob: String, carol: String) {
        var story = Story(founder: "Alice")
        story.add("Bob", "Carol", "Dave", by: "Alice")
        let bob = story.promote("Bob", by: "Alice")
        let carol = story.promote("Carol", by: "Alice")
        return (story, bob, carol)
    }

    @Test
    func `voids what the removed admin does afterwards`() {
        var (story, _, carol) = Self.admins()
        let removal = story.remove("Carol", by: "Bob")
        let late = story.add("Erin", by: "Carol", under: .grant(carol, slot: 1))
        #expect(story.void == [late: .because(.revoked, removal)])
        #expect(story.members == ["Alice": .founder, "Bob": .admin, "Dave": .member])
    }

    @Test
    func `voids what the removed admin did beside it`() {
        var (story, _, carol) = Self.admins()
        let removal = story.remove("Carol", by: "Bob", after: [carol])
        let beside = story.add("Erin", by: "Carol", after: [carol])
        #expect(story.void == [beside: .because(.revoked, removal)])
        #expect(story.members["Erin"] == nil)
    }

    @Test
    func `leaves alone what it had seen`() {
        var (story, _, _) = Self.admins()
        story.add("Erin", by: "Carol")
        story.remove("Carol", by: "Bob")
        #expect(story.void.isEmpty)
        #expect(story.members["Erin"] == .member)
    }

    @Test
    func `is decided before the duel begins when two admins remove each other`() {
        var (story, bob, carol) = Self.admins()
        story.remove("Carol", by: "Bob", after: [carol])
        let answer = story.remove("Bob", by: "Carol", after: [carol])
        #expect(story.void == [answer: .because(.outranked, bob)])
        #expect(story.members == ["Alice": .founder, "Bob": .admin, "Dave": .member])
    }

    @Test
    func `cannot be escaped by back-dating`() {
        var (story, _, carol) = Self.admins()
        let removal = story.remove("Carol", by: "Alice")
        story.promote("Dave", by: "Alice")
        let backDated = story.promote("Erin", by: "Carol", after: [carol])
        let another = story.rename("Carol's", by: "Carol", after: [carol])
        #expect(
            story.void == [backDated: .because(.targetNotAMember), another: .because(.revoked, removal)])
        #expect(story.end.registers.isEmpty)
    }

    @Test
    func `in a circle of three voids the second, and the third was void anyway`() {
        var (story, bob, carol) = Self.admins()
        let dave = story.promote("Dave", by: "Alice")
        let first = story.remove("Carol", by: "Bob", after: [dave])
        let second = story.remove("Dave", by: "Carol", after: [dave])
        let third = story.remove("Bob", by: "Dave", after: [dave])
        #expect(story.void == [second: .because(.revoked, first), third: .because(.outranked, bob)])
        #expect(story.members == ["Alice": .founder, "Bob": .admin, "Dave": .admin])
        #expect(carol != dave)
    }

    @Test
    func `falls with the authority of whoever wrote it, and what it had voided stands again`() {
        var (story, _, carol) = Self.admins()
        let removal = story.remove("Carol", by: "Bob", after: [carol])
        let added = story.add("Erin", by: "Carol", after: [carol])
        #expect(story.void == [added: .because(.revoked, removal)])
        let higher = story.remove("Bob", by: "Alice", after: [carol])
        #expect(story.void == [removal: .because(.revoked, higher)])
        #expect(story.members == ["Alice": .founder, "Carol": .admin, "Dave": .member, "Erin": .member])
    }

    @Test
    func `takes with it what stood on the grants of the removed one`() {
        var (story, _, carol) = Self.admins()
        let removal = story.remove("Carol", by: "Alice", after: [carol])
        let promotion = story.promote("Dave", by: "Carol", after: [carol])
        let child = story.rename("Dave's", by: "Dave", after: [promotion])
        #expect(
            story.void == [promotion: .because(.revoked, removal), child: .because(.grantVoid, promotion)])
    }

    @Test
    func `of one's own ends only what comes after it`() {
        var (story, _, carol) = Self.admins()
        let phone = story.leave("Carol", after: [carol])
        story.add("Erin", by: "Carol", after: [carol])
        #expect(story.void.isEmpty, "a stale phone undoes nothing")
        let late = story.rename("Carol's", by: "Carol", after: [phone], under: .grant(carol, slot: 1))
        #expect(story.void == [late: .because(.revoked, phone)])
        #expect(story.members["Erin"] == .member)
        #expect(story.members["Carol"] == nil)
    }

    @Test
    func `in part leaves what the lower tier may do`() {
        var (story, _, carol) = Self.admins()
        let demotion = story.demote("Carol", to: .moderator, by: "Alice", after: [carol])
        let adding = story.add("Erin", by: "Carol", after: [carol])
        let renaming = story.rename("Carol's", by: "Carol", after: [carol])
        let removing = story.remove("Dave", by: "Carol", after: [carol])
        #expect(
            story.void == [
                renaming: .because(.revoked, demotion), removing: .because(.revoked, demotion),
            ], "a demoted admin does not remove under his old grant, but \(adding) needs a moderator only")
        #expect(story.members["Carol"] == .moderator)
        #expect(story.members["Dave"] == .member)
    }
}
