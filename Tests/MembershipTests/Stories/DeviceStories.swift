import Membership
import Testing

/// Bob's laptop is stolen. Their phone has their root, and takes the laptop out.
@Suite("Devices")
struct DeviceStories {
    /// Alice's group with Bob, who is admin, Carol and Dave.
    private static func room() -> Room {
        var room = Room()
        room.add("Bob", "Carol", "Dave", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        return room
    }

    // MARK: - Pins

    @Test func `what a thief wrote is void, and what its owner pinned stays`() {
        var room = Self.room()
        let own = room.using("laptop") { $0.add("Erin", by: "Bob") }
        let thiefs = room.using("laptop") { $0.remove("Carol", by: "Bob") }
        #expect(room.roles["Carol"] == nil)
        let revocation = room.revoke("laptop", of: "Bob", pinning: own, by: "Bob")
        #expect(room.counts(own))
        #expect(room.reason(against: thiefs) == Reason(.deviceRevoked, by: revocation))
        #expect(room.roles["Carol"] == .member)
        #expect(room.resolver.revocations(of: "laptop", of: "Bob") == [revocation])
    }

    @Test func `a pin stands for everything in its past`() {
        var room = Self.room()
        let first = room.using("laptop") { $0.add("Erin", by: "Bob") }
        let others = room.set("name", to: "Ship", by: "Alice")
        let revocation = room.revoke("laptop", of: "Bob", pinning: others, by: "Bob")
        #expect(room.counts(first))
        #expect(room.resolver.keepers == [first: revocation])
    }

    @Test func `the past of whoever passes it on decides nothing`() {
        var room = Self.room()
        let before = room.resolver.heads
        let thiefs = room.using("laptop") { $0.add("Mallory", by: "Bob") }
        let early = room.revoke("laptop", of: "Bob", by: "Carol", after: before)
        #expect(room.reason(against: thiefs) == Reason(.deviceRevoked, by: early))
        room.using("laptop") { _ = $0.revoke("laptop", of: "Bob", by: "Bob") }
        #expect(room.roles["Mallory"] == nil)
    }

    @Test func `of several revocations the pins of all count`() {
        var room = Self.room()
        let first = room.using("laptop") { $0.add("Erin", by: "Bob") }
        let second = room.using("laptop") { $0.add("Frank", by: "Bob") }
        let third = room.using("laptop") { $0.add("Mallory", by: "Bob") }
        let heads = room.resolver.heads
        let strict = room.revoke("laptop", of: "Bob", pinning: first, by: "Carol", after: heads)
        #expect(room.void == [second, third])
        room.revoke("laptop", of: "Bob", pinning: second, by: "Dave", after: heads)
        #expect(room.void == [third])
        room.revoke("laptop", of: "Bob", by: "Alice", after: heads)
        #expect(room.reason(against: third) == Reason(.deviceRevoked, by: strict))
    }

    @Test func `a revocation that does not follow its pins counts for nothing`() {
        var room = Self.room()
        let before = room.resolver.heads
        let promotion = room.using("laptop") { $0.promote("Carol", to: .moderator, by: "Bob") }
        let early = room.revoke("laptop", of: "Bob", pinning: promotion, by: "Dave", after: before)
        #expect(room.reason(against: early) == Reason(.pinUnknown))
        #expect(room.counts(promotion))
        let addition = room.using("laptop") { $0.add("Erin", by: "Bob") }
        #expect(room.counts(addition))
        #expect(room.resolver.revocations(of: "laptop", of: "Bob").isEmpty)
    }

    @Test func `what the device writes later is void, also if it has not heard of that`() {
        var room = Self.room()
        let before = room.resolver.heads
        let revocation = room.revoke("laptop", of: "Bob", by: "Bob")
        let later = room.using("laptop") { $0.add("Mallory", by: "Bob") }
        let concurrent = room.using("laptop") { $0.add("Mallory", by: "Bob", after: before) }
        #expect(room.reason(against: later) == Reason(.deviceRevoked, by: revocation))
        #expect(room.reason(against: concurrent) == Reason(.deviceRevoked, by: revocation))
        let phones = room.using("phone") { $0.add("Erin", by: "Bob") }
        #expect(room.counts(phones))
    }

    // MARK: - What rests on it

    @Test func `whom the thief made admin is none, and what they did is void`() {
        var room = Self.room()
        let addition = room.using("laptop") { $0.add("Mallory", by: "Bob") }
        let crown = room.using("laptop") { $0.promote("Mallory", to: .admin, by: "Bob") }
        let coup = room.remove("Carol", by: "Mallory")
        room.revoke("laptop", of: "Bob", by: "Bob")
        #expect(room.reason(against: coup) == .grantVoid(crown))
        #expect(!room.counts(addition))
        #expect(room.roles == ["Alice": .founder, "Bob": .admin, "Carol": .member, "Dave": .member])
    }

    @Test func `a device of the same name of somebody else is another one`() {
        var room = Self.room()
        let alices = room.using("laptop") { $0.add("Erin", by: "Alice") }
        room.revoke("laptop", of: "Bob", by: "Bob")
        #expect(room.counts(alices))
    }

    @Test func `a device of somebody who is in no group is revoked before they come`() {
        var room = Self.room()
        let invite = room.invite("Erin", by: "Alice")
        let revocation = room.revoke("laptop", of: "Erin", by: "Erin")
        let thiefs = room.using("laptop") { $0.join("Erin", invite) }
        #expect(room.reason(against: thiefs) == Reason(.deviceRevoked, by: revocation))
        let own = room.using("phone") { $0.join("Erin", invite) }
        #expect(room.counts(own))
        #expect(room.roles["Erin"] == .member)
    }

    @Test func `the creation stays, and so does what takes out other devices`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        let phones = room.using("laptop") { $0.revoke("phone", of: "Alice", by: "Alice") }
        let laptops = room.using("phone") { $0.revoke("laptop", of: "Alice", by: "Alice") }
        #expect(room.counts(phones))
        #expect(room.counts(laptops))
        #expect(room.counts(room.creation))
        #expect(room.roles == ["Alice": .founder, "Bob": .member])
    }

    // MARK: - What somebody else had seen

    @Test func `a removed admin takes nothing back that their remover had seen`() {
        var room = Self.room()
        let addition = room.using("laptop") { $0.add("Erin", by: "Bob") }
        let removal = room.remove("Bob", by: "Alice")
        room.revoke("laptop", of: "Bob", by: "Bob")
        #expect(room.counts(addition))
        #expect(room.roles["Erin"] == .member)
        #expect(room.resolver.keepers == [addition: removal])
    }

    @Test func `a demotion and a ban keep what they had seen, too`() {
        var room = Self.room()
        room.promote("Carol", to: .admin, by: "Alice")
        let bobs = room.using("laptop") { $0.add("Erin", by: "Bob") }
        let carols = room.using("laptop") { $0.add("Frank", by: "Carol") }
        room.demote("Bob", to: .moderator, by: "Alice")
        room.ratify(ban: ["Carol"], by: "Alice")
        room.revoke("laptop", of: "Bob", by: "Bob")
        room.revoke("laptop", of: "Carol", by: "Dave")
        #expect(room.counts(bobs))
        #expect(room.counts(carols))
    }

    @Test func `a remover who knew of the theft keeps nothing`() {
        var room = Self.room()
        let addition = room.using("laptop") { $0.add("Mallory", by: "Bob") }
        room.revoke("laptop", of: "Bob", by: "Bob")
        room.remove("Bob", by: "Alice")
        #expect(!room.counts(addition))
        #expect(room.roles["Mallory"] == nil)
    }

    @Test func `a remover who is overruled keeps nothing`() {
        var room = Self.room()
        let carols = room.promote("Carol", to: .admin, by: "Alice")
        let promotion = room.promote("Dave", to: .admin, by: "Carol")
        let addition = room.using("laptop") { $0.add("Mallory", by: "Dave") }
        let removal = room.remove("Dave", by: "Carol")
        room.revoke("laptop", of: "Dave", by: "Dave")
        #expect(room.counts(addition))
        room.remove("Carol", by: "Alice", after: [promotion])
        #expect(!room.counts(removal))
        #expect(!room.counts(addition))
        #expect(room.counts(carols))
    }

    @Test func `a removal that does not reach the authority keeps nothing`() {
        var room = Self.room()
        room.promote("Carol", to: .moderator, by: "Alice")
        let addition = room.using("laptop") { $0.add("Erin", by: "Bob") }
        room.leave("Bob")
        room.add("Bob", by: "Alice")
        let removal = room.remove("Bob", by: "Carol")
        #expect(room.counts(removal))
        room.revoke("laptop", of: "Bob", by: "Dave")
        // On old heads Bob could have removed Erin, and Carol's removal would not have reached them there.
        #expect(!room.counts(addition))
    }

    // MARK: - What a thief gives up

    @Test func `an owner is back after the thief has left in their name`() {
        var room = Self.room()
        let leave = room.using("laptop") { $0.leave("Bob") }
        let lost = room.add("Erin", by: "Bob")
        #expect(!room.counts(lost))
        let revocation = room.revoke("laptop", of: "Bob", by: "Alice")
        #expect(room.reason(against: leave) == Reason(.deviceRevoked, by: revocation))
        #expect(room.roles["Bob"] == .admin)
        #expect(room.counts(lost))
    }

    @Test func `a leave that is pinned stays`() {
        var room = Self.room()
        let leave = room.using("laptop") { $0.leave("Bob") }
        room.revoke("laptop", of: "Bob", pinning: leave, by: "Alice")
        #expect(room.counts(leave))
        #expect(room.roles["Bob"] == nil)
    }

    @Test func `a founder is back, though somebody has acted in their place`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let stepdown = room.using("laptop") { $0.stepDown("Alice") }
        let acting = room.add("Mallory", by: "Bob", under: .acting)
        #expect(room.counts(acting))
        room.revoke("laptop", of: "Alice", by: "Alice")
        #expect(!room.counts(stepdown))
        #expect(room.roles["Alice"] == .founder)
        #expect(room.roles["Bob"] == .admin)
        let removal = room.remove("Bob", by: "Alice")
        #expect(room.counts(removal))
    }

    @Test func `somebody who was thrown out cannot make the leave of a founder count again`() {
        var room = Self.room()
        let leave = room.using("laptop") { $0.leave("Alice") }
        room.revoke("laptop", of: "Alice", by: "Alice")
        room.remove("Bob", by: "Alice")
        let later = room.add("Erin", by: "Alice")
        // Void, but nothing is wrong with it in its own past.
        let ratification = room.ratify(by: "Bob", after: [leave])
        #expect(!room.counts(ratification))
        #expect(!room.counts(leave))
        #expect(room.counts(later))
        #expect(room.roles["Alice"] == .founder)
    }

    @Test func `a thief who acts as admin has not acted`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        room.leave("Alice")
        let acting = room.using("laptop") { $0.remove("Carol", by: "Bob", under: .acting) }
        let revocation = room.revoke("laptop", of: "Bob", by: "Bob")
        #expect(room.reason(against: acting) == Reason(.deviceRevoked, by: revocation))
        #expect(room.actingAdmin == "Bob")
        #expect(room.members == ["Bob", "Carol"])
    }

    // MARK: - Answers

    @Test func `a thief answers no invite`() {
        var room = Self.room()
        let invite = room.invite("Erin", by: "Alice")
        let decline = room.using("laptop") { $0.decline("Erin", invite) }
        let join = room.join("Erin", invite)
        #expect(room.reason(against: join) == Reason(.inviteEnded, by: decline))
        room.revoke("laptop", of: "Erin", by: "Erin")
        #expect(room.counts(join))
        #expect(room.roles["Erin"] == .member)
    }

    @Test func `a code that a thief used is free for whoever used it at that time`() {
        var room = Self.room()
        let invite = room.offer(by: "Alice")
        let thiefs = room.using("laptop") { $0.join("Erin", invite, after: [invite]) }
        let franks = room.join("Frank", invite, after: [invite])
        #expect(room.reason(against: franks) == Reason(.inviteUsed, by: thiefs))
        room.revoke("laptop", of: "Erin", by: "Erin")
        #expect(room.counts(franks))
        #expect(room.members.contains("Frank"))
    }

    @Test func `a join that a remover had seen stays, and what was done under it`() {
        var room = Self.room()
        room.set(AddSetting.field, to: AddSetting.everyone, by: "Alice")
        let join = room.using("laptop") { $0.join("Erin", $0.invite("Erin", by: "Alice")) }
        let addition = room.using("phone") { $0.add("Frank", by: "Erin", under: join.grant(0)) }
        room.remove("Erin", by: "Alice")
        room.revoke("laptop", of: "Erin", by: "Erin")
        #expect(room.counts(join))
        #expect(room.counts(addition))
        #expect(room.roles["Frank"] == .member)
    }

    // MARK: - What is said of it

    @Test func `what fell is named again when an earlier revocation is there to be named`() {
        var room = Self.room()
        let before = room.resolver.heads
        let thiefs = room.using("laptop") { $0.add("Mallory", by: "Bob") }
        let later = room.revoke("laptop", of: "Bob", by: "Bob")
        #expect(room.reason(against: thiefs) == Reason(.deviceRevoked, by: later))
        var resolver = room.resolver
        let earlier = room.revoke("laptop", of: "Bob", by: "Carol", after: before)
        for operation in room.operations.suffix(1) { resolver.insert(operation) }
        #expect(Set(resolver.settleReportingChanges()) == [thiefs, earlier])
        #expect(room.reason(against: thiefs) == Reason(.deviceRevoked, by: earlier))
    }

    @Test func `what is told no device is not concerned`() {
        var room = Self.room()
        let addition = room.add("Erin", by: "Bob")
        room.revoke("laptop", of: "Bob", by: "Bob")
        #expect(room.counts(addition))
    }
}
