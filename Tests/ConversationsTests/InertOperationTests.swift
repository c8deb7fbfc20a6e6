import Conversations
import Membership
import OperationLog
import OperationLogFixtures
import Testing
import Time

@Suite("Operations from which nothing follows")
struct InertOperationTests {
    /// A circle's group, and one that was given the same operations at once.
    private func expectEqual(_ circle: Circle, sourceLocation: SourceLocation = #_sourceLocation) {
        var fresh = Group(conversation: circle.log.conversation, root: .group)
        fresh.insert(circle.lane)
        #expect(circle.group.members == fresh.members, sourceLocation: sourceLocation)
        #expect(circle.group.systemMessages == fresh.systemMessages, sourceLocation: sourceLocation)
        #expect(circle.group.audience == fresh.audience, sourceLocation: sourceLocation)
        #expect(circle.group.deciders == fresh.deciders, sourceLocation: sourceLocation)
        #expect(
            circle.group.history.map { $0.voidReason?.rule } == fresh.history.map { $0.voidReason?.rule },
            sourceLocation: sourceLocation)
        #expect(
            circle.group.history.map(\.hybridTime) == fresh.history.map(\.hybridTime),
            sourceLocation: sourceLocation)
    }

    @Test func `leave a group as one that took in all at once`() throws {
        var circle = try Circle("Alice", "Bob", "Carol", "Dave")
        let creation = try #require(circle.log.membership.operations.first).id
        let founders = MembershipBody.Authority.grant(operation: creation, slot: 0)
        let (carol, dave) = (circle.user("Carol"), circle.user("Dave"))
        let bodies: [MembershipBody] = [
            .merge, .set(under: founders, field: "name", value: "Mine"),
            .remove(under: founders, target: carol, pins: []),
            .cancel(under: founders, invite: creation), .decline(invite: creation), .stepdown, .merge,
        ]
        for body in bodies {
            try circle.write(by: "Bob", body)
            expectEqual(circle)
        }
        try circle.decide("Alice") { .remove(under: $0, target: dave, pins: []) }
        expectEqual(circle)
        try circle.write(by: "Dave", .merge)
        try circle.write(by: "Dave", .set(under: founders, field: "name", value: "Daves"))
        try circle.write(by: "Carol", .merge)
        expectEqual(circle)
    }

    @Test func `are told from those that have consequences`() throws {
        let circle = try Circle("Alice", "Bob", "Carol")
        let creation = try #require(circle.log.membership.operations.first).id
        let carol = circle.user("Carol")
        func follows(from body: MembershipBody, by name: String) throws -> Bool {
            var (log, group) = (circle.log, circle.group)
            let written = try log.write(
                membership: [.init(type: body.type, body: body.encoded)], by: circle.person(name).author, at: .earliest)
            return group.insert(written.map(\.operation))
        }
        let founders = MembershipBody.Authority.grant(operation: creation, slot: 0)
        #expect(try !follows(from: .merge, by: "Bob"))
        // Void, and whoever is told of it must be told of what makes it so.
        #expect(try follows(from: .remove(under: founders, target: carol, pins: []), by: "Bob"))
        #expect(try follows(from: .remove(under: founders, target: carol, pins: []), by: "Alice"))
        #expect(try follows(from: .leave(pins: []), by: "Bob"))
        #expect(try follows(from: .device(own: circle.person("Bob").credentials), by: "Bob"))
    }
}
