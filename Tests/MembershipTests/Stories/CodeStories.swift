import Membership
import Testing

@Suite("An invite by code")
struct CodeStories {
    @Test func `lets in whoever comes first, and nobody after them`() {
        var room = Room()
        let invite = room.offer(by: "Alice")
        let first = room.join("Bob", invite)
        let second = room.join("Carol", invite)
        #expect(room.counts(first))
        #expect(room.reason(against: second) == Reason(.inviteUsed, by: first))
        #expect(room.roles == ["Alice": .founder, "Bob": .member])
    }

    @Test func `whoever comes second stays second, whatever their rank`() {
        var room = Room()
        let invite = room.offer(by: "Alice")
        let first = room.join("Zoe", invite)
        let second = room.join("Bob", invite)
        #expect(room.reason(against: second) == Reason(.inviteUsed, by: first))
        #expect(room.roles["Zoe"] == .member)
    }

    @Test func `of two who use it concurrently the rank decides`() {
        var room = Room()
        let invite = room.offer(by: "Alice")
        let carol = room.join("Carol", invite, after: [invite])
        #expect(room.roles["Carol"] == .member)
        let bob = room.join("Bob", invite, after: [invite])
        #expect(room.reason(against: carol) == Reason(.inviteUsed, by: bob))
        #expect(room.roles == ["Alice": .founder, "Bob": .member])
    }

    @Test func `once it is taken back nobody joins by it concurrently with the one who did`() {
        var room = Room()
        let invite = room.offer(by: "Alice")
        let first = room.join("Carol", invite)
        let cancellation = room.cancel(invite, by: "Alice")
        let hidden = room.join("Bob", invite, after: [invite])
        #expect(room.reason(against: hidden) == Reason(.inviteEnded, by: cancellation))
        #expect(room.counts(first))
        #expect(room.roles == ["Alice": .founder, "Carol": .member])
    }

    @Test func `taken back before anybody came it lets in nobody`() {
        var room = Room()
        let invite = room.offer(by: "Alice")
        let join = room.join("Bob", invite, after: [invite])
        let cancellation = room.cancel(invite, by: "Alice", after: [invite])
        #expect(room.reason(against: join) == Reason(.inviteEnded, by: cancellation))
    }

    @Test func `who lost it to somebody whose join is void has it again`() {
        var room = Room()
        room.add("Mod", by: "Alice")
        room.promote("Mod", to: .moderator, by: "Alice")
        let invite = room.offer(by: "Mod")
        let carol = room.join("Carol", invite, after: [invite])
        let bob = room.join("Bob", invite, after: [invite])
        #expect(room.reason(against: carol) == Reason(.inviteUsed, by: bob))
        let removal = room.remove("Mod", by: "Alice", after: [carol])
        #expect(room.reason(against: bob) == .inviterRevoked(by: removal))
        #expect(room.counts(carol))
        #expect(room.roles["Carol"] == .member)
    }

    @Test func `nobody turns it down for the others`() {
        var room = Room()
        room.add("Mallory", by: "Alice")
        let invite = room.offer(by: "Alice")
        let decline = room.decline("Mallory", invite)
        #expect(room.reason(against: decline) == Reason(.codeDeclined, by: invite))
        let join = room.join("Bob", invite)
        #expect(room.counts(join))
    }

    @Test func `a member makes none`() {
        var room = Room()
        let base = room.add("Bob", by: "Alice")
        let invite = room.offer(by: "Bob", under: base.grant(1))
        #expect(room.reason(against: invite) == Reason(.roleTooLow, by: base))
        let join = room.join("Carol", invite)
        #expect(room.reason(against: join) == Reason(.inviteVoid, by: invite))
    }

    @Test func `who used it and left does not come back by it`() {
        var room = Room()
        let invite = room.offer(by: "Alice")
        let first = room.join("Bob", invite)
        room.leave("Bob")
        room.join("Bob", invite)
        #expect(room.roles == ["Alice": .founder])
        let other = room.join("Carol", invite)
        #expect(room.reason(against: other) == Reason(.inviteUsed, by: first))
    }
}
