import Membership
import Testing

/// Each rule has a story in which an operation breaks it: a rule without one does not compile here, and a rule that
/// cannot be broken fails.
@Suite("Every rule")
struct EveryRuleStories {
    @Test(arguments: Rule.allCases)
    func `every rule is broken in some story, and says so in words`(rule: Rule) {
        var room = Self.room()
        let operation = Self.breach(of: rule, in: &room)
        #expect(room.resolver.verdict(of: operation)?.voidReason?.rule == rule)
        #expect(!rule.sentence.isEmpty)
        #expect(rule.rawValue.allSatisfy { $0.isLowercase || $0 == "_" })
    }

    @Test func `no two rules read alike`() {
        #expect(Set(Rule.allCases.map(\.sentence)).count == Rule.allCases.count)
        #expect(Set(Rule.allCases.map(\.rawValue)).count == Rule.allCases.count)
    }

    /// Alice's group with Bob, who is moderator, and Carol.
    private static func room() -> Room {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        room.promote("Bob", to: .moderator, by: "Alice")
        return room
    }

    private static func breach(of rule: Rule, in room: inout Room) -> OperationName {
        switch rule {
        case .notTheRoot: return room.create(by: "Bob")
        case .neverAMember: return room.leave("Mallory")
        case .inviteUnknown: return room.join("Dave", "an invite nobody wrote")
        case .inviteOfAnother: return room.join("Mallory", room.invite("Dave", by: "Bob"))
        case .codeDeclined: return room.decline("Carol", room.offer(by: "Bob"))
        case .inviteUsed:
            let invite = room.offer(by: "Bob")
            room.join("Dave", invite)
            return room.join("Mallory", invite)
        case .inviteVoid: return room.join("Dave", room.invite("Dave", by: "Carol"))
        case .inviteEnded:
            let invite = room.invite("Dave", by: "Bob")
            room.cancel(invite, by: "Bob")
            return room.join("Dave", invite)
        case .grantUnknown: return room.add("Dave", by: "Bob", under: .grant("nowhere", slot: 0))
        case .grantOfAnother: return room.add("Dave", by: "Bob", under: room.creation.grant(0))
        case .grantVoid:
            let forged = room.promote("Carol", to: .admin, by: "Bob")
            return room.add("Dave", by: "Carol", under: forged.grant())
        case .settingVoid:
            let promotion = room.promote("Bob", to: .admin, by: "Alice")
            let setting = room.set(AddSetting.field, to: AddSetting.everyone, by: "Bob")
            let addition = room.add("Dave", by: "Carol", under: .grant("1. Alice adds Bob and Carol", slot: 2))
            room.remove("Bob", by: "Alice", after: [promotion])
            #expect(!room.counts(setting))
            return addition
        case .notActingAdmin: return room.add("Dave", by: "Bob", under: .acting)
        case .roleTooLow: return room.add("Dave", by: "Carol")
        case .grantsTooMuch: return room.promote("Bob", to: .founder, by: "Alice")
        case .targetsSelf: return room.remove("Bob", by: "Bob")
        case .targetNotAMember: return room.remove("Mallory", by: "Bob")
        case .targetIsActingAdmin:
            room.leave("Alice")
            // Bob and Carol are as old as each other's slots say: Bob acts, and an old grant of Alice's finds them in
            // office.
            return room.remove("Bob", by: "Alice", under: room.creation.grant(0))
        case .outranked: return room.remove("Alice", by: "Bob")
        case .demotesToNothingLess: return room.demote("Bob", to: .moderator, by: "Alice")
        case .keepsAStranger: return room.ratify(keep: [Kept("Mallory", .member)], by: "Alice")
        case .keepsTooHigh: return room.ratify(keep: [Kept("Bob", .admin)], by: "Alice")
        case .inviterRevoked:
            let invite = room.invite("Dave", by: "Bob")
            room.remove("Bob", by: "Alice")
            return room.join("Dave", invite)
        case .pinUnknown: return room.revoke("laptop", of: "Bob", pinning: "nothing that is here", by: "Carol")
        case .deviceRevoked:
            let addition = room.using("laptop") { $0.add("Dave", by: "Bob") }
            room.revoke("laptop", of: "Bob", by: "Carol")
            return addition
        case .revoked:
            room.remove("Bob", by: "Alice")
            return room.add("Dave", by: "Bob")
        }
    }
}
