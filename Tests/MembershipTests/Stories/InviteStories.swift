import Membership
import Testing

@Suite("The end of an invite")
struct InviteStories {
    @Test func `nobody joins after the invite was canceled`() {
        var room = Room()
        let invite = room.invite("Bob", by: "Alice")
        let cancellation = room.cancel(invite, by: "Alice")
        let join = room.join("Bob", invite)
        #expect(room.reason(against: join) == Reason(.inviteEnded, by: cancellation))
        #expect(room.roles == ["Alice": .founder])
    }

    @Test func `a cancellation voids a concurrent join`() {
        var room = Room()
        let invite = room.invite("Bob", by: "Alice")
        let join = room.join("Bob", invite, after: [invite])
        #expect(room.roles["Bob"] == .member)
        let cancellation = room.cancel(invite, by: "Alice", after: [invite])
        #expect(room.reason(against: join) == Reason(.inviteEnded, by: cancellation))
        #expect(room.roles == ["Alice": .founder])
    }

    @Test func `a cancellation that had seen the join comes too late`() {
        var room = Room()
        let invite = room.invite("Bob", by: "Alice")
        let join = room.join("Bob", invite)
        let cancellation = room.cancel(invite, by: "Alice")
        #expect(room.counts(cancellation))
        #expect(room.counts(join))
        #expect(room.roles["Bob"] == .member)
    }

    @Test func `a stale phone that declines does not undo what the laptop accepted`() {
        var room = Room()
        let invite = room.invite("Bob", by: "Alice")
        let join = room.join("Bob", invite, after: [invite])
        let decline = room.decline("Bob", invite, after: [invite])
        #expect(room.counts(join))
        #expect(room.counts(decline))
        #expect(room.roles == ["Alice": .founder, "Bob": .member])
    }

    @Test func `who has declined joins no more by that invite`() {
        var room = Room()
        let invite = room.invite("Bob", by: "Alice")
        let decline = room.decline("Bob", invite)
        let join = room.join("Bob", invite)
        #expect(room.reason(against: join) == Reason(.inviteEnded, by: decline))
        #expect(room.roles == ["Alice": .founder])
    }

    @Test func `who has joined does not decline any more`() {
        var room = Room()
        let invite = room.invite("Bob", by: "Alice")
        let join = room.join("Bob", invite)
        room.decline("Bob", invite)
        #expect(room.counts(join))
    }

    @Test func `a void cancellation or decline ends nothing`() {
        var room = Room()
        room.add("Mallory", by: "Alice")
        let invite = room.invite("Bob", by: "Alice")
        room.cancel(invite, by: "Mallory")
        room.decline("Mallory", invite)
        let join = room.join("Bob", invite)
        #expect(room.counts(join))
    }

    @Test func `a revoked cancellation ends nothing`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        let promotion = room.promote("Bob", to: .moderator, by: "Alice")
        let invite = room.invite("Carol", by: "Bob")
        let cancellation = room.cancel(invite, by: "Bob")
        let join = room.join("Carol", invite)
        #expect(room.reason(against: join) == Reason(.inviteEnded, by: cancellation))
        let demotion = room.demote("Bob", to: .member, by: "Alice", after: [invite])
        #expect(room.reason(against: cancellation) == .revoked(by: demotion))
        #expect(room.reason(against: join) == .inviterRevoked(by: demotion))
        #expect(room.counts(promotion))
    }

    @Test func `another invite is not ended with it`() {
        var room = Room()
        let first = room.invite("Bob", by: "Alice")
        let second = room.invite("Bob", by: "Alice")
        room.cancel(first, by: "Alice")
        let join = room.join("Bob", second)
        #expect(room.counts(join))
        #expect(room.roles["Bob"] == .member)
    }

    @Test func `nobody joins by a void invite`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        let invite = room.invite("Carol", by: "Bob")
        let join = room.join("Carol", invite)
        #expect(room.reason(against: join) == Reason(.inviteVoid, by: invite))
    }

    @Test func `pending invites die with the authority of the inviter`() {
        var (room, invite) = Self.roomWithInvite()
        let removal = room.remove("Bob", by: "Alice")
        let join = room.join("Carol", invite)
        #expect(room.counts(invite))
        #expect(room.reason(against: join) == .inviterRevoked(by: removal))
    }

    @Test func `an invite used concurrently with the removal of the inviter dies too`() {
        var (room, invite) = Self.roomWithInvite()
        let join = room.join("Carol", invite, after: [invite])
        let removal = room.remove("Bob", by: "Alice", after: [invite])
        #expect(room.reason(against: join) == .inviterRevoked(by: removal))
    }

    @Test func `a removal that had seen the join leaves it`() {
        var (room, invite) = Self.roomWithInvite()
        let join = room.join("Carol", invite)
        room.remove("Bob", by: "Alice")
        #expect(room.counts(join))
        #expect(room.roles == ["Alice": .founder, "Carol": .member])
    }

    @Test func `whom somebody invited before they left joins, whether they say that they saw the leave or not`() {
        var (room, invite) = Self.roomWithInvite()
        let leave = room.leave("Bob", after: [invite])
        let concurrent = room.join("Carol", invite, after: [invite])
        let honest = room.join("Carol", invite, after: [leave])
        #expect(room.counts(concurrent))
        #expect(room.counts(honest))
        #expect(room.roles == ["Alice": .founder, "Carol": .member])
    }

    @Test func `whom a moderator invited before they stepped down joins`() {
        var (room, invite) = Self.roomWithInvite()
        room.stepDown("Bob")
        let join = room.join("Carol", invite)
        #expect(room.counts(join))
    }

    @Test func `who left invites nobody any more, and who is removed after they left invites nobody either`() {
        var (room, invite) = Self.roomWithInvite()
        let leave = room.leave("Bob", after: [invite])
        let late = room.invite("Dave", by: "Bob", under: .grant("2. Alice promotes Bob to moderator", slot: 1))
        #expect(room.reason(against: late) == .revoked(by: leave))
        let ban = room.ratify(ban: ["Bob"], by: "Alice")
        let join = room.join("Carol", invite)
        #expect(room.resolver.verdict(of: join)?.voidReason?.decidedBy == ban)
        #expect(room.roles == ["Alice": .founder])
    }

    @Test func `an inviter who is still moderator after a demotion keeps their invites`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        let invite = room.invite("Carol", by: "Bob")
        room.demote("Bob", to: .moderator, by: "Alice")
        let join = room.join("Carol", invite)
        #expect(room.counts(join))
        let other = room.invite("Dave", by: "Bob")
        let demotion = room.demote("Bob", to: .member, by: "Alice")
        let late = room.join("Dave", other)
        #expect(room.reason(against: late) == .inviterRevoked(by: demotion))
    }

    @Test func `an old invite does not outlive a removal`() {
        var room = Room()
        let first = room.invite("Bob", by: "Alice")
        let spare = room.invite("Bob", by: "Alice")
        room.join("Bob", first)
        room.remove("Bob", by: "Alice")
        let join = room.join("Bob", spare)
        #expect(room.counts(join))
        #expect(room.roles == ["Alice": .founder])
        room.join("Bob", room.invite("Bob", by: "Alice"))
        #expect(room.roles == ["Alice": .founder, "Bob": .member])
    }

    @Test func `an old invite does not outlive a leave`() {
        var room = Room()
        let invite = room.invite("Bob", by: "Alice")
        room.join("Bob", invite)
        room.leave("Bob")
        room.join("Bob", invite)
        #expect(room.roles == ["Alice": .founder])
    }

    /// Alice's group, in which Bob is moderator and has invited Carol.
    private static func roomWithInvite() -> (Room, invite: OperationName) {
        var room = Room()
        room.add("Bob", by: "Alice")
        room.promote("Bob", to: .moderator, by: "Alice")
        let invite = room.invite("Carol", by: "Bob")
        return (room, invite)
    }
}
