import Conversations
import OperationLog
import OperationLogFixtures
import Testing

@Suite("A message that whoever took its author out had not seen")
struct CutOffTests {
    private func write(by name: String, in circle: inout Circle) throws -> Operation {
        try #require(try circle.write(content: [.init(type: .message, body: [1])], by: name).first)
    }

    private func isCutOff(_ message: Operation, in circle: Circle) -> Bool {
        circle.isCutOff(message)
    }

    private func pin(_ message: Operation) -> Pin {
        Pin(device: message.author.id, sequenceNumber: message.header.sequenceNumber, operation: message.id)
    }

    @Test func `is marked, and what they had seen is not`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        let seen = try write(by: "Carol", in: &circle)
        let unseen = try write(by: "Carol", in: &circle)
        #expect(!isCutOff(seen, in: circle) && !isCutOff(unseen, in: circle))
        let (carol, pins) = (circle.user("Carol"), [pin(seen)])
        try circle.decide("Alice") { .remove(under: $0, target: carol, pins: pins) }
        #expect(!isCutOff(seen, in: circle))
        #expect(isCutOff(unseen, in: circle))
    }

    @Test func `is no matter of those who stay, nor of who came back`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        let bobs = try write(by: "Bob", in: &circle)
        let carol = circle.user("Carol")
        try circle.decide("Alice") { .remove(under: $0, target: carol, pins: []) }
        let credentials = circle.person("Carol").credentials
        try circle.decide("Alice") { .add(under: $0, targets: [credentials]) }
        let back = try write(by: "Carol", in: &circle)
        #expect(!isCutOff(bobs, in: circle) && !isCutOff(back, in: circle))
    }

    @Test func `is marked likewise where the author left from another device`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        let unseen = try write(by: "Carol", in: &circle)
        try circle.write(by: "Carol", .leave(pins: []))
        #expect(isCutOff(unseen, in: circle))
    }

    @Test func `is not marked for a removal that is void`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        let message = try write(by: "Carol", in: &circle)
        let creation = try #require(circle.log.membership.operations.first).id
        let carol = circle.user("Carol")
        try circle.write(by: "Bob", .remove(under: .grant(operation: creation, slot: 0), target: carol, pins: []))
        #expect(circle.group.isMember(carol))
        #expect(!isCutOff(message, in: circle))
    }

    @Test func `is not told from pins of another operation`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        let seen = try write(by: "Carol", in: &circle)
        let (carol, pins) = (circle.user("Carol"), [pin(seen)])
        guard
            case .granted(let authority)? = circle.group.permission(
                for: { .remove(under: $0, target: carol, pins: []) }, by: circle.user("Alice"))
        else {
            Issue.record("Alice may remove Carol")
            return
        }
        try circle.write(
            by: "Alice",
            all: [
                .remove(under: authority, target: carol, pins: []),
                .remove(under: authority, target: carol, pins: pins),
            ])
        #expect(isCutOff(seen, in: circle))
    }
}
