import Conversations
import Cryptography
import Membership
import OperationLog
import OperationLogFixtures
import Testing

@Suite("How much say an author had")
struct AuthorRoleTests {
    private func write(by name: String, in circle: inout Circle) throws -> Operation {
        try #require(try circle.write(content: [.init(type: .delete, body: [])], by: name).last)
    }

    @Test func `is that of their role when they wrote, not of the one they have now`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        let carol = circle.user("Carol")
        let early = try write(by: "Carol", in: &circle)
        try circle.decide("Alice") { .promote(under: $0, target: carol, role: .moderator) }
        let moderating = try write(by: "Carol", in: &circle)
        try circle.decide("Alice") { .demote(under: $0, target: carol, role: .member) }
        let late = try write(by: "Carol", in: &circle)
        #expect(circle.authorRole(of: early) == .member)
        #expect(circle.authorRole(of: moderating) == .moderator)
        #expect(circle.authorRole(of: late) == .member)
        #expect(circle.authorRole(of: try write(by: "Alice", in: &circle)) == .moderator)
    }

    @Test func `is none after a removal they know of`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        let carol = circle.user("Carol")
        try circle.decide("Alice") { .promote(under: $0, target: carol, role: .moderator) }
        try circle.decide("Alice") { .remove(under: $0, target: carol, pins: []) }
        #expect(circle.authorRole(of: try write(by: "Carol", in: &circle)) == .outsider)
    }

    @Test func `stays that of a moderator for what their removal had seen, and for nothing else`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        let carol = circle.user("Carol")
        try circle.decide("Alice") { .promote(under: $0, target: carol, role: .moderator) }
        let seen = try write(by: "Carol", in: &circle)
        // Written under the same heads, but nobody had it when they were removed.
        let unseen = try write(by: "Carol", in: &circle)
        let pin = Pin(device: seen.author.id, sequenceNumber: seen.header.sequenceNumber, operation: seen.id)
        try circle.decide("Alice") { .remove(under: $0, target: carol, pins: [pin]) }
        #expect(circle.authorRole(of: seen) == .moderator)
        #expect(circle.authorRole(of: unseen) == .member)
    }

    @Test func `counts anew for who came back`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        let person = circle.person("Carol")
        try circle.decide("Alice") { .remove(under: $0, target: person.user, pins: []) }
        try circle.decide("Alice") { .add(under: $0, targets: [person.credentials]) }
        try circle.decide("Alice") { .promote(under: $0, target: person.user, role: .moderator) }
        #expect(circle.authorRole(of: try write(by: "Carol", in: &circle)) == .moderator)
    }

    @Test func `is that of the acting admin while nobody is admin`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        try circle.write(by: "Alice", .leave(pins: []))
        let acting = try #require(circle.group.actingAdmin)
        let name = acting == circle.user("Bob") ? "Bob" : "Carol"
        #expect(circle.authorRole(of: try write(by: name, in: &circle)) == .moderator)
        #expect(circle.group.mayModerate(acting))
    }
}
