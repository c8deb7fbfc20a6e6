import Conversations
import Membership
import OperationLog
import OperationLogFixtures
import Testing

/// A group that takes in operations as they come is the group that takes in all of them at once.
@Suite("A group that grows")
struct GroupGrowthTests {
    /// The people who write on each side of a cut. Nobody writes on two, which would fork their chain.
    static let sides = [["Alice", "Bob"], ["Carol", "Dave"], ["Erin"]]

    @Test(arguments: 1...24 as ClosedRange<UInt64>)
    func `says what it would say if it were read anew`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var whole = try Circle("Alice", "Bob", "Carol", "Dave", "Erin", seed: seed)
        for admin in ["Bob", "Carol", "Dave"] {
            let user = whole.user(admin)
            try whole.decide("Alice") { .promote(under: $0, target: user, role: .admin) }
        }
        var sides = Array(repeating: whole, count: 3)
        for _ in 0..<30 {
            let side = Int.random(in: 0..<3, using: &random)
            if Int.random(in: 0..<4, using: &random) == 0 {
                try sides[side].meet(sides[(side + 1) % 3])
            } else {
                try Self.live(on: &sides[side], by: Self.sides[side], using: &random)
            }
            expectEqual(sides[side], seed: seed)
        }
        for side in [1, 2] { try sides[0].meet(sides[side]) }
        expectEqual(sides[0], seed: seed)
    }

    @Test
    func `takes back what it told, when it hears that it was void`() throws {
        var alice = try Circle("Alice", "Bob", "Carol", "Dave")
        let (bob, carol) = (alice.user("Bob"), alice.user("Carol"))
        try alice.decide("Alice") { .promote(under: $0, target: bob, role: .admin) }
        var others = alice
        try others.decide("Bob") { .remove(under: $0, target: carol, pins: []) }
        #expect(others.told(to: "Dave").last == "Bob removed Carol")
        #expect(!others.group.isMember(carol))
        try alice.decide("Alice") { .remove(under: $0, target: bob, pins: []) }
        try others.meet(alice)
        #expect(others.told(to: "Dave").last == "Alice removed Bob")
        #expect(!others.told(to: "Dave").contains("Bob removed Carol"))
        #expect(others.group.isMember(carol))
        #expect(others.group.expulsions(of: carol).isEmpty)
    }

    /// Somebody does something, whether they may or not.
    static func live(on side: inout Circle, by people: [String], using random: inout SplitMix64) throws {
        let author = people[Int.random(in: 0..<people.count, using: &random)]
        let names = sides.flatMap(\.self)
        let other = side.person(names[Int.random(in: 0..<names.count, using: &random)])
        let target = other.user
        let role: Role = Bool.random(using: &random) ? .admin : .moderator
        switch Int.random(in: 0..<16, using: &random) {
        case 0: try side.write(by: author, .leave(pins: []))
        case 1: try side.write(by: author, .stepdown)
        case 2: try side.write(by: author, .merge)
        case 3: try side.decide(author) { .set(under: $0, field: Group.nameField, value: author) }
        case 4...5: try side.decide(author) { .add(under: $0, targets: [other.credentials]) }
        case 6...7: try side.decide(author) { .promote(under: $0, target: target, role: role) }
        case 8: try side.decide(author) { .demote(under: $0, target: target, role: .member) }
        case 9: try side.write(by: author, .remove(under: .acting, target: target, pins: []))
        default: try side.decide(author) { .remove(under: $0, target: target, pins: []) }
        }
    }

    private func expectEqual(_ circle: Circle, seed: UInt64, sourceLocation: SourceLocation = #_sourceLocation) {
        var fresh = Group(conversation: circle.log.conversation, root: .group)
        fresh.insert(circle.lane)
        let group = circle.group
        #expect(group.members == fresh.members, "seed \(seed)", sourceLocation: sourceLocation)
        #expect(group.actingAdmin == fresh.actingAdmin, "seed \(seed)", sourceLocation: sourceLocation)
        #expect(group.systemMessages == fresh.systemMessages, "seed \(seed)", sourceLocation: sourceLocation)
        #expect(group.name == fresh.name, "seed \(seed)", sourceLocation: sourceLocation)
        #expect(group.audience == fresh.audience, "seed \(seed)", sourceLocation: sourceLocation)
        let objections = group.history.map(\.voidReason)
        #expect(objections == fresh.history.map(\.voidReason), "seed \(seed)", sourceLocation: sourceLocation)
        for person in circle.people.values {
            let (ours, theirs) = (group.expulsions(of: person.user), fresh.expulsions(of: person.user))
            #expect(ours == theirs, "seed \(seed)", sourceLocation: sourceLocation)
        }
    }
}
