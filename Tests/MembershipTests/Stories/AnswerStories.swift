import Membership
import Testing

@Suite("Answering an invite")
struct AnswerStories {
    @Test func `who joins is a member, and not before`() {
        var room = Room()
        let invite = room.invite("Bob", by: "Alice")
        #expect(room.roles == ["Alice": .founder])
        let join = room.join("Bob", invite)
        #expect(room.counts(join))
        #expect(room.roles == ["Alice": .founder, "Bob": .member])
    }

    @Test func `who declines is no member`() {
        var room = Room()
        let decline = room.decline("Bob", room.invite("Bob", by: "Alice"))
        #expect(room.counts(decline))
        #expect(room.roles == ["Alice": .founder])
    }

    @Test func `an answer follows the invite it names`() {
        var room = Room()
        let invite = room.invite("Bob", by: "Alice")
        let join = room.join("Bob", invite, after: [room.creation])
        let decline = room.decline("Bob", invite, after: [room.creation])
        #expect(room.reason(against: join) == Reason(.inviteUnknown))
        #expect(room.reason(against: decline) == Reason(.inviteUnknown))
    }

    @Test func `an answer to what is no invite is void`() {
        var room = Room()
        let addition = room.add("Bob", by: "Alice")
        let join = room.join("Bob", addition)
        let decline = room.decline("Bob", "an invite nobody wrote")
        #expect(room.reason(against: join) == Reason(.inviteUnknown))
        #expect(room.reason(against: decline) == Reason(.inviteUnknown))
    }

    @Test func `nobody answers for somebody else`() {
        var room = Room()
        let invite = room.invite("Bob", by: "Alice")
        let join = room.join("Carol", invite)
        let decline = room.decline("Carol", invite)
        #expect(room.reason(against: join) == Reason(.inviteOfAnother, by: invite))
        #expect(room.reason(against: decline) == Reason(.inviteOfAnother, by: invite))
        let honest = room.join("Bob", invite)
        #expect(room.counts(honest))
        #expect(room.roles == ["Alice": .founder, "Bob": .member])
    }

    @Test func `who was invited first is the senior, whenever they join`() {
        var room = Room()
        let invite = room.invite("Carol", by: "Alice")
        room.add("Bob", by: "Alice")
        room.join("Carol", invite)
        #expect(room.members == ["Alice", "Carol", "Bob"])
    }
}
