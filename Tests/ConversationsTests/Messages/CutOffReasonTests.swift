import Conversations
import Membership
import OperationLog
import OperationLogFixtures
import Testing

/// Alice is the founder. Each test shows one rule, and which operation is named with it.
@Suite("Why content does not count")
struct CutOffReasonTests {
    private func write(_ type: OperationType = .message, by name: String, in circle: inout Circle) throws -> Operation {
        try #require(try circle.write(content: [.init(type: type, body: [1])], by: name).last)
    }

    /// Pat, an admin, is removed by Alice. The other circle does not know of it yet.
    private func splitByRemoval(outsiders: [String] = []) throws -> (circle: Circle, elsewhere: Circle) {
        var circle = try Circle("Alice", "Bob", "Pat", outsiders: outsiders)
        let pat = circle.user("Pat")
        try circle.decide("Alice") { .promote(under: $0, target: pat, role: .admin) }
        let elsewhere = circle
        try circle.remove("Pat", by: "Alice")
        return (circle, elsewhere)
    }

    private func meet(_ other: Circle, saying content: [Operation], in circle: inout Circle) throws {
        try circle.meet(other)
        try circle.meet(content: content)
    }

    @Test func `is the removal of its author by somebody who had not seen it`() throws {
        var (circle, elsewhere) = try splitByRemoval()
        let message = try write(by: "Pat", in: &elsewhere)
        #expect(elsewhere.cutOff(message) == nil)
        try meet(elsewhere, saying: [message], in: &circle)
        let cutOff = try #require(circle.cutOff(message))
        #expect(cutOff.rule == .authorRemoved)
        #expect(cutOff.decidedBy == circle.log.membership.operations.last { $0.header.type == .remove }?.id)
    }

    @Test func `is the earliest of several removals, in whatever order they came`() throws {
        var circle = try Circle("Alice", "Bob", "Carol", "Pat")
        let (bob, pat) = (circle.user("Bob"), circle.user("Pat"))
        try circle.decide("Alice") { .promote(under: $0, target: bob, role: .admin) }
        let message = try write(by: "Pat", in: &circle)
        var elsewhere = circle
        let first = try circle.decide("Alice") { .remove(under: $0, target: pat, pins: []) }
        try elsewhere.set(to: "Ship", by: "Bob")
        try elsewhere.remove("Pat", by: "Bob")
        var other = elsewhere
        try circle.meet(elsewhere)
        try other.meet(circle)
        #expect(circle.cutOff(message)?.decidedBy == first)
        #expect(other.cutOff(message) == circle.cutOff(message))
    }

    @Test func `is the void addition of its author, also where somebody removed them besides`() throws {
        var (circle, elsewhere) = try splitByRemoval(outsiders: ["Sam"])
        try elsewhere.add("Sam", by: "Pat")
        let addition = try #require(elsewhere.group.history.last)
        let message = try write(by: "Sam", in: &elsewhere)
        try meet(elsewhere, saying: [message], in: &circle)
        let cutOff = try #require(circle.cutOff(message))
        #expect(cutOff.rule == .additionVoid)
        #expect(cutOff.decidedBy == addition.operation.id)
        #expect(circle.group.entry(addition.operation.id)?.voidReason?.rule == .revoked)
        try circle.write(by: "Sam", .leave(pins: []), after: [addition.operation.id])
        #expect(circle.cutOff(message) == cutOff)
    }

    @Test func `is the setting by which only moderators write`() throws {
        var circle = try Circle("Alice", "Bob")
        try circle.set(Group.announcementField, to: "on", by: "Alice")
        let setting = try #require(circle.group.history.last).operation.id
        let message = try write(by: "Bob", in: &circle)
        let cutOff = try #require(circle.cutOff(message))
        #expect(cutOff.rule == .onlyModerators && cutOff.decidedBy == setting)
        #expect(circle.cutOff(try write(.reaction, by: "Bob", in: &circle)) == nil)
    }
}
