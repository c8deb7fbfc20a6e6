import Conversations
import Membership
import OperationLog
import Testing

@Suite("Who loses to a concurrent decision is told")
struct OverrulingTests {
    /// Alice and Bob, both admins, on two sides of a cut.
    private static func sides() throws -> (alice: Circle, bob: Circle) {
        var circle = try Circle("Alice", "Bob", "Carol", "Dave")
        let bob = circle.user("Bob")
        try circle.decide("Alice") { .promote(under: $0, target: bob, role: .admin) }
        return (circle, circle)
    }

    /// What becomes of a person's decisions when the other side comes in.
    private static func overruled(_ name: String, on side: Circle, by other: Circle) throws -> [Group.Overruling] {
        var side = side
        let decisions = side.group.decisions(of: side.user(name))
        try side.meet(other)
        return side.group.overruled(decisions, in: side.log.membership)
    }

    @Test func `of two names given at the same time, the one that does not stay is told to who gave it`() throws {
        var (alice, bob) = try Self.sides()
        let ofAlice = try #require(try alice.decide("Alice") { .set(under: $0, field: Group.nameField, value: "Ship") })
        let ofBob = try #require(try bob.decide("Bob") { .set(under: $0, field: Group.nameField, value: "Boat") })
        let told = [
            try Self.overruled("Alice", on: alice, by: bob), try Self.overruled("Bob", on: bob, by: alice),
        ]
        var together = alice
        try together.meet(bob)
        let isAlicesKept = together.group.name == "Ship"
        #expect(told.map(\.count) == (isAlicesKept ? [0, 1] : [1, 0]), "exactly one of them lost")
        let loss = try #require(told.joined().first)
        #expect(loss.decision.operation.id == (isAlicesKept ? ofBob : ofAlice))
        guard case .outwritten(Group.nameField, let winner) = loss.outcome else {
            Issue.record("\(loss.outcome)")
            return
        }
        #expect(winner.operation.id == (isAlicesKept ? ofAlice : ofBob))
        #expect(winner.body?.value == together.group.name)
    }

    @Test func `who changes a name that they have read overrules nobody`() throws {
        var (alice, _) = try Self.sides()
        try alice.decide("Alice") { .set(under: $0, field: Group.nameField, value: "Ship") }
        var bob = alice
        try bob.decide("Bob") { .set(under: $0, field: Group.nameField, value: "Boat") }
        #expect(try Self.overruled("Alice", on: alice, by: bob).isEmpty)
    }

    @Test func `what a removed admin decided meanwhile is void, and they are told`() throws {
        var (alice, bob) = try Self.sides()
        let (bobsID, dave) = (alice.user("Bob"), alice.user("Dave"))
        try alice.decide("Alice") { .remove(under: $0, target: bobsID, pins: []) }
        let promotion = try #require(try bob.decide("Bob") { .promote(under: $0, target: dave, role: .moderator) })
        let told = try Self.overruled("Bob", on: bob, by: alice)
        #expect(told.map(\.decision.operation.id) == [promotion])
        guard case .void = told.first?.outcome else {
            Issue.record("\(told)")
            return
        }
        #expect(told.first?.decision.voidReason != nil)
        #expect(try Self.overruled("Alice", on: alice, by: bob).isEmpty)
    }

    @Test func `two who decide the same lose nothing`() throws {
        var (alice, bob) = try Self.sides()
        let dave = alice.user("Dave")
        try alice.decide("Alice") { .remove(under: $0, target: dave, pins: []) }
        try bob.decide("Bob") { .remove(under: $0, target: dave, pins: []) }
        #expect(try Self.overruled("Alice", on: alice, by: bob).isEmpty)
        #expect(try Self.overruled("Bob", on: bob, by: alice).isEmpty)
    }
}
