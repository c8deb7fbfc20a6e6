import Membership
import Testing

@Suite("An invite")
struct InviteStories {
    /// Alice founds the group with Bob, whom she makes moderator, and Carol.
    private static func group() -> (story: Story, bob: String) {
        var story = Story(founder: "Alice")
        story.add("Bob", "Carol", by: "Alice")
        let bob = story.promote("Bob", to: .moderator, by: "Alice")
        return (story, bob)
    }

    @Test
    func `makes a member of who accepts it, as senior as the invite`() {
        var (story, _) = Self.group()
        let invite = story.invite("Dave", by: "Bob")
        story.add("Erin", by: "Alice")
        #expect(story.members["Dave"] == nil)
        let join = story.join(invite, by: "Dave")
        #expect(story.void.isEmpty)
        #expect(story.end.members.map(\.person) == ["Alice", "Bob", "Carol", "Dave", "Erin"])
        #expect(story.end.members.first { $0.person == "Dave" }?.madeBy == join)
    }

    @Test
    func `is accepted or declined by who was asked, after it was made`() {
        var (story, bob) = Self.group()
        let invite = story.invite("Dave", by: "Bob", after: [bob])
        let stolen = story.join(invite, by: "Mallory", after: [invite])
        let early = story.join(invite, by: "Dave", after: [bob])
        let meddling = story.decline(invite, by: "Carol", after: [invite])
        let imagined = story.join("nowhere", by: "Dave", after: [bob])
        #expect(
            story.void == [
                stolen: .because(.inviteOfAnother, invite), early: .because(.inviteUnknown),
                meddling: .because(.inviteOfAnother, invite), imagined: .because(.inviteUnknown),
            ])
    }

    @Test
    func `ends when it is declined`() {
        var (story, _) = Self.group()
        let invite = story.invite("Dave", by: "Bob")
        let no = story.decline(invite, by: "Dave")
        let changedHisMind = story.join(invite, by: "Dave")
        #expect(story.void == [changedHisMind: .because(.inviteEnded, no)])
    }

    @Test
    func `is taken back beside the join, but not after it was seen accepted`() {
        var (story, _) = Self.group()
        let invite = story.invite("Dave", by: "Bob")
        let cancelled = story.cancel(invite, by: "Bob", after: [invite])
        let beside = story.join(invite, by: "Dave", after: [invite])
        #expect(story.void == [beside: .because(.inviteEnded, cancelled)])

        var (other, _) = Self.group()
        let accepted = other.invite("Dave", by: "Bob")
        other.join(accepted, by: "Dave")
        other.cancel(accepted, by: "Bob")
        #expect(other.void.isEmpty)
        #expect(other.members["Dave"] == .member)
    }

    @Test
    func `is taken back by who gave it or outranks who gave it`() {
        var (story, bob) = Self.group()
        story.promote("Carol", to: .moderator, by: "Alice")
        let seniors = story.invite("Dave", by: "Bob")
        let juniors = story.invite("Erin", by: "Carol")
        let upwards = story.cancel(seniors, by: "Carol")
        story.cancel(juniors, by: "Bob")
        let unseen = story.cancel(juniors, by: "Bob", after: [bob])
        #expect(
            story.void == [upwards: .because(.outranked, seniors), unseen: .because(.inviteUnknown)])
    }

    @Test
    func `dies with the authority of who gave it`() {
        var (story, _) = Self.group()
        let invite = story.invite("Dave", by: "Bob")
        let demotion = story.demote("Bob", by: "Alice")
        let late = story.join(invite, by: "Dave")
        #expect(story.void == [late: .because(.revoked, demotion)])
    }

    @Test
    func `stands when who gave it leaves beside the join, not when the join saw it`() {
        var (story, _) = Self.group()
        let invite = story.invite("Dave", by: "Bob")
        let second = story.invite("Erin", by: "Bob")
        let leave = story.leave("Bob", after: [second])
        story.join(invite, by: "Dave", after: [second])
        let late = story.join(second, by: "Erin", after: [leave])
        #expect(story.void == [late: .because(.revoked, leave)])
        #expect(story.members["Dave"] == .member)
    }

    @Test
    func `that is void makes void what accepts it`() {
        var (story, _) = Self.group()
        let forged = story.invite("Dave", by: "Carol", under: Story.founders)
        let join = story.join(forged, by: "Dave")
        #expect(
            story.void == [
                forged: .because(.grantOfAnother, Story.founding), join: .because(.inviteVoid, forged),
            ])
    }
}
