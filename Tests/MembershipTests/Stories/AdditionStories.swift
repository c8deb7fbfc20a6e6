import Membership
import Testing

@Suite("A group in which every member adds")
struct AdditionStories {
    @Test func `a member adds, and does nothing else that a moderator does`() {
        var (room, base, _) = Self.openRoom()
        let addition = room.add("Dave", by: "Bob")
        #expect(room.counts(addition))
        #expect(room.roles["Dave"] == .member)
        let operations = [room.invite("Erin", by: "Bob"), room.remove("Carol", by: "Bob")]
        for operation in operations { #expect(room.reason(against: operation) == Reason(.roleTooLow, by: base)) }
    }

    @Test func `once the setting is back only moderators add`() {
        var (room, base, _) = Self.openRoom()
        let before = room.add("Dave", by: "Bob")
        room.set(AddSetting.field, to: "moderators", by: "Alice")
        let after = room.add("Erin", by: "Bob", under: base.grant(1))
        #expect(room.counts(before))
        #expect(room.reason(against: after) == Reason(.roleTooLow, by: base))
    }

    @Test func `who adds concurrently with the change of the setting has added`() {
        var (room, _, opening) = Self.openRoom()
        let addition = room.add("Dave", by: "Bob", after: [opening])
        room.set(AddSetting.field, to: "moderators", by: "Alice", after: [opening])
        #expect(room.counts(addition))
        #expect(room.roles["Dave"] == .member)
    }

    @Test func `who had not seen the setting does not add by it`() {
        var room = Room()
        let base = room.add("Bob", by: "Alice")
        room.set(AddSetting.field, to: AddSetting.everyone, by: "Alice")
        let addition = room.add("Dave", by: "Bob", under: base.grant(1), after: [base])
        #expect(room.reason(against: addition) == Reason(.roleTooLow, by: base))
    }

    @Test func `a setting by somebody who may not set it opens nothing`() {
        var room = Room()
        let base = room.add("Bob", "Carol", by: "Alice")
        room.promote("Bob", to: .moderator, by: "Alice")
        room.set(AddSetting.field, to: AddSetting.everyone, by: "Bob")
        let addition = room.add("Dave", by: "Carol", under: base.grant(2))
        #expect(room.reason(against: addition) == Reason(.roleTooLow, by: base))
    }

    @Test func `a demoted admin lends themselves no right by a setting on old heads`() {
        var room = Room()
        let base = room.add("Bob", by: "Alice")
        let promotion = room.promote("Bob", to: .admin, by: "Alice")
        let demotion = room.demote("Bob", to: .member, by: "Alice")
        let setting = room.set(
            AddSetting.field, to: AddSetting.everyone, by: "Bob", under: promotion.grant(), after: [promotion])
        let addition = room.add("Dave", by: "Bob", under: base.grant(), after: [setting])
        #expect(room.reason(against: setting) == .revoked(by: demotion))
        #expect(!room.counts(addition))
        #expect(room.resolver.verdict(of: addition)?.voidReason?.decidedBy == setting)
        #expect(room.roles == ["Alice": .founder, "Bob": .member])
    }

    @Test func `a removed admin hands the right to add to no member`() {
        var room = Room()
        let base = room.add("Bob", "Carol", by: "Alice")
        let promotion = room.promote("Bob", to: .admin, by: "Alice")
        let setting = room.set(AddSetting.field, to: AddSetting.everyone, by: "Bob", after: [promotion])
        let addition = room.add("Dave", by: "Carol", under: base.grant(2), after: [setting])
        #expect(room.roles["Dave"] == .member)
        room.remove("Bob", by: "Alice", after: [promotion])
        #expect(room.resolver.verdict(of: addition)?.voidReason?.decidedBy == setting)
        #expect(room.roles == ["Alice": .founder, "Carol": .member])
    }

    @Test func `an addition rests on the last setting of its past that counts, and a void one takes nothing away`() {
        var (room, base, opening) = Self.openRoom()
        let promotion = room.promote("Carol", to: .admin, by: "Alice")
        room.set(AddSetting.field, to: AddSetting.everyone, by: "Carol", under: promotion.grant())
        let later = room.add("Dave", by: "Bob", under: base.grant())
        let earlier = room.add("Erin", by: "Bob", under: base.grant(), after: [opening])
        room.remove("Carol", by: "Alice", after: [promotion])
        #expect(room.counts(later))
        #expect(room.counts(earlier))
    }

    @Test func `a setting that closes the group for what was made after it closes it once it counts`() throws {
        var (room, base, opening) = Self.openRoom()
        let promotion = room.promote("Carol", to: .admin, by: "Alice")
        let demotion = room.demote("Carol", to: .moderator, by: "Alice", after: [promotion])
        let closing = room.set(
            AddSetting.field, to: "admins", by: "Carol", under: promotion.grant(), after: [promotion])
        let again = room.set(AddSetting.field, to: AddSetting.everyone, by: "Alice", after: [opening])
        let addition = room.add("Dave", by: "Bob", under: base.grant(), after: [closing, again, demotion])
        #expect(!room.counts(closing), "Carol was no admin any more")
        #expect(room.counts(addition))
    }

    @Test func `who holds capped grants only adds nobody`() {
        var room = Room()
        room.set(AddSetting.field, to: AddSetting.everyone, by: "Alice")
        room.add("Bob", "Carol", by: "Alice")
        let moderator = room.promote("Carol", to: .moderator, by: "Alice")
        let removal = room.remove("Bob", by: "Carol")
        let admin = room.promote("Bob", to: .admin, by: "Alice", after: [moderator])
        let stepdown = room.stepDown("Bob", after: [removal, admin])
        let addition = room.add("Dave", by: "Bob", under: admin.grant())
        #expect(room.roles["Bob"] == .member)
        #expect(room.reason(against: addition) == .revoked(by: stepdown))
    }

    @Test func `a removal voids whom the removed member added concurrently`() {
        var (room, _, opening) = Self.openRoom()
        let addition = room.add("Dave", by: "Bob", after: [opening])
        let removal = room.remove("Bob", by: "Alice", after: [opening])
        #expect(room.reason(against: addition) == .revoked(by: removal))
        #expect(room.roles == ["Alice": .founder, "Carol": .member])
    }

    @Test func `a moderator who is demoted adds under their membership`() {
        var (room, _, _) = Self.openRoom()
        let promotion = room.promote("Bob", to: .moderator, by: "Alice")
        let demotion = room.demote("Bob", to: .member, by: "Alice")
        let old = room.add("Dave", by: "Bob", under: promotion.grant(1))
        #expect(room.reason(against: old) == .revoked(by: demotion))
        let new = room.add("Erin", by: "Bob", under: demotion.grant(1))
        #expect(room.counts(new))
    }

    @Test func `a stranger adds nobody`() {
        var (room, base, _) = Self.openRoom()
        let addition = room.add("Mallory", by: "Mallory", under: base.grant(1))
        #expect(room.reason(against: addition) == Reason(.grantOfAnother, by: base))
    }

    /// Alice's group with Bob and Carol, in which every member adds.
    private static func openRoom() -> (Room, base: OperationName, opening: OperationName) {
        var room = Room()
        let base = room.add("Bob", "Carol", by: "Alice")
        let opening = room.set(AddSetting.field, to: AddSetting.everyone, by: "Alice")
        return (room, base, opening)
    }
}
