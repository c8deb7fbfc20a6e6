import Membership
import Testing

@Suite("What its own past holds against a deed")
struct StaticCheckStories {
    @Test
    func `a group is created once`() {
        var story = Story(founder: "Alice")
        let second = story.create("Mallory")
        #expect(story.void == [second: .because(.notTheRoot)])
    }

    @Test
    func `a stranger can neither leave nor step down nor show a device`() {
        var story = Story(founder: "Alice")
        let leave = story.leave("Mallory")
        let stepdown = story.stepDown("Mallory")
        let device = story.introduceDevice("Mallory")
        #expect(
            story.void == [
                leave: .because(.neverAMember), stepdown: .because(.neverAMember), device: .because(.neverAMember),
            ])
        story.merge(by: "Mallory")
        #expect(story.void.count == 3, "joining heads says nothing")
    }

    @Test
    func `who acts names a grant of his own in the past`() {
        var story = Story(founder: "Alice")
        story.add("Bob", by: "Alice")
        let stolen = story.rename("Bob's", by: "Bob", under: Story.founders)
        let unknown = story.rename("Bob's", by: "Bob", under: .grant("nowhere", slot: 0))
        let noSuchSlot = story.rename("Bob's", by: "Bob", under: .grant(Story.founding, slot: 7))
        #expect(
            story.void == [
                stolen: .because(.grantOfAnother, Story.founding), unknown: .because(.grantUnknown),
                noSuchSlot: .because(.grantUnknown),
            ])
    }

    @Test
    func `a grant made beside the deed is not in its past`() {
        var story = Story(founder: "Alice")
        let added = story.add("Bob", by: "Alice")
        let promotion = story.promote("Bob", by: "Alice", after: [added])
        let early = story.rename("Bob's", by: "Bob", after: [added], under: .grant(promotion, slot: 1))
        #expect(story.void == [early: .because(.grantUnknown)])
    }

    @Test
    func `each deed needs its tier`() {
        var story = Story(founder: "Alice")
        let added = story.add("Bob", "Carol", by: "Alice")
        let moderator = story.promote("Carol", to: .moderator, by: "Alice")
        let byMember = story.add("Dave", by: "Bob", under: .grant(added, slot: 1))
        let byModerator = story.rename("Carol's", by: "Carol")
        let promotion = story.promote("Bob", to: .moderator, by: "Carol")
        story.add("Dave", by: "Carol")
        #expect(
            story.void == [
                byMember: .because(.tierTooLow, added), byModerator: .because(.tierTooLow, moderator),
                promotion: .because(.tierTooLow, moderator),
            ])
    }

    @Test
    func `nobody grants more than he has, and nobody grants founder`() {
        var story = Story(founder: "Alice")
        story.add("Bob", by: "Alice")
        let founder = story.promote("Bob", to: .founder, by: "Alice")
        #expect(story.void == [founder: .because(.grantsTooMuch)])
    }

    @Test
    func `only members are promoted`() {
        var story = Story(founder: "Alice")
        let stranger = story.promote("Bob", by: "Alice")
        #expect(story.void == [stranger: .because(.targetNotAMember)])
    }

    @Test
    func `nobody removes or demotes himself`() {
        var story = Story(founder: "Alice")
        story.add("Bob", by: "Alice")
        story.promote("Bob", by: "Alice")
        let removal = story.remove("Bob", by: "Bob")
        let demotion = story.demote("Bob", by: "Bob")
        #expect(story.void == [removal: .because(.targetsHimself), demotion: .because(.targetsHimself)])
    }

    @Test
    func `only members are removed`() {
        var story = Story(founder: "Alice")
        let stranger = story.remove("Bob", by: "Alice")
        #expect(story.void == [stranger: .because(.targetNotAMember)])
    }

    @Test
    func `nobody removes the founder, nor a senior of his tier`() {
        var story = Story(founder: "Alice")
        story.add("Bob", "Carol", by: "Alice")
        let bob = story.promote("Bob", by: "Alice")
        story.promote("Carol", by: "Alice")
        let founder = story.remove("Alice", by: "Bob")
        let senior = story.remove("Bob", by: "Carol")
        #expect(
            story.void == [founder: .because(.outranked, Story.founding), senior: .because(.outranked, bob)])
        story.remove("Carol", by: "Bob")
        #expect(story.members == ["Alice": .founder, "Bob": .admin])
    }

    @Test
    func `a moderator removes members only`() {
        var story = Story(founder: "Alice")
        story.add("Bob", "Carol", "Dave", by: "Alice")
        story.promote("Bob", to: .moderator, by: "Alice")
        let carol = story.promote("Carol", to: .moderator, by: "Alice")
        let peer = story.remove("Carol", by: "Bob")
        story.remove("Dave", by: "Bob")
        #expect(story.void == [peer: .because(.outranked, carol)])
        #expect(story.members == ["Alice": .founder, "Bob": .moderator, "Carol": .moderator])
    }

    @Test
    func `what a demotion left of a grant still weighs what the whole weighed`() {
        var story = Story(founder: "Alice")
        story.add("Bob", "Carol", by: "Alice")
        let bob = story.promote("Bob", by: "Alice")
        story.promote("Carol", by: "Alice")
        story.demote("Bob", by: "Alice")
        let removal = story.remove("Bob", by: "Carol")
        #expect(story.void == [removal: .because(.outranked, bob)], "a junior never removes who was his senior")
        #expect(story.members["Bob"] == .member)
    }

    @Test
    func `a demotion leaves less than there was, and less than admin`() {
        var story = Story(founder: "Alice")
        story.add("Bob", by: "Alice")
        story.promote("Bob", to: .moderator, by: "Alice")
        let same = story.demote("Bob", to: .moderator, by: "Alice")
        let upwards = story.demote("Bob", to: .admin, by: "Alice")
        #expect(
            story.void == [
                same: .because(.demotesToNothingLess), upwards: .because(.demotesToNothingLess),
            ])
    }

    @Test
    func `a ratification keeps people below admin who once were members, and bans whom its author could remove`() {
        var story = Story(founder: "Alice")
        story.add("Bob", "Carol", "Dave", by: "Alice")
        let bob = story.promote("Bob", by: "Alice")
        story.promote("Carol", by: "Alice")
        let admin = story.ratify(keeping: [Kept("Dave", .admin)], by: "Alice")
        let stranger = story.ratify(keeping: [Kept("Dave", .member), Kept("Mallory", .member)], by: "Alice")
        let senior = story.ratify(keeping: [Kept("Dave", .member)], banning: ["Bob"], by: "Carol")
        let oneself = story.ratify(banning: ["Carol"], by: "Carol")
        #expect(
            story.void == [
                admin: .because(.keepsAStranger), stranger: .because(.keepsAStranger),
                senior: .because(.outranked, bob), oneself: .because(.targetsHimself),
            ], "one bad entry spoils the whole")
        story.remove("Dave", by: "Carol")
        story.ratify(banning: ["Dave"], by: "Alice")
        #expect(story.void.count == 4, "a ban repeats a removal")
        #expect(story.members["Dave"] == nil)
    }
}
