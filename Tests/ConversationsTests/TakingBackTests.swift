import Conversations
import Membership
import OperationLog
import OperationLogFixtures
import Testing

/// Alice founded the group, Bob and Carol are admins. What Bob does from then on is taken back.
@Suite("A removal that takes back what a person did")
struct TakingBackTests {
    private var circle: Circle
    private let known: Set<OperationID>

    init() throws {
        circle = try Circle("Alice", "Bob", "Carol", "Frank", outsiders: ["Dave", "Erin"])
        for name in ["Bob", "Carol"] {
            let user = circle.user(name)
            try circle.decide("Alice") { .promote(under: $0, target: user, role: .admin) }
        }
        known = Set(circle.lane.map(\.id))
    }

    private func tip(of name: String) -> OperationID? {
        circle.log.membershipFrontier.tips[circle.person(name).author.device.id]?.last?.id
    }

    private func takingBack(_ name: String, by author: String) -> TakingBack {
        circle.group.takingBack(
            actsOf: circle.user(name), where: { !known.contains($0) }, after: tip(of: author))
    }

    private func parents(_ past: TakingBack, of author: String) -> [OperationID] {
        Array(Set(past.heads + [tip(of: author)].compactMap(\.self)))
    }

    /// What somebody's removal of another one would change.
    private func outcome(of name: String, by author: String) throws -> Group.RemovalOutcome {
        let (past, target) = (takingBack(name, by: author), circle.user(name))
        let parents = parents(past, of: author)
        let permission = circle.group.permission(
            for: { .remove(under: $0, target: target, pins: []) }, by: circle.user(author), after: parents)
        guard case .granted(let authority)? = permission else { throw Circle.Misfortune() }
        return try #require(
            circle.group.outcome(ofRemoving: target, by: circle.user(author), under: authority, after: parents))
    }

    private mutating func remove(_ name: String, by author: String) throws {
        let (past, target) = (takingBack(name, by: author), circle.user(name))
        let permission = circle.group.permission(
            for: { .remove(under: $0, target: target, pins: []) }, by: circle.user(author),
            after: parents(past, of: author))
        guard case .granted(let authority)? = permission else { throw Circle.Misfortune() }
        try circle.write(by: author, .remove(under: authority, target: target, pins: []), after: past.heads)
    }

    private func isMember(_ name: String) -> Bool { circle.group.isMember(circle.user(name)) }

    @Test mutating func `voids what they did, and nothing of others but what rests on it`() throws {
        try circle.add("Dave", by: "Bob")
        let dave = circle.user("Dave")
        try circle.decide("Bob") { .promote(under: $0, target: dave, role: .admin) }
        try circle.add("Erin", by: "Carol")
        try circle.set(to: "Deck", by: "Dave")
        try #require(circle.group.name == "Deck")
        #expect(takingBack("Bob", by: "Alice").kept == 0)
        let outcome = try outcome(of: "Bob", by: "Alice")
        #expect(outcome.decisions == 3 && outcome.isRemoved && outcome.memberCount == 4)
        #expect(outcome.leaving == [dave] && outcome.returning.isEmpty)

        try remove("Bob", by: "Alice")
        #expect(!isMember("Bob") && !isMember("Dave"))
        #expect(isMember("Carol") && isMember("Erin"))
        #expect(circle.group.name == nil)
    }

    @Test mutating func `brings back whom they took out`() throws {
        try circle.remove("Frank", by: "Bob")
        try #require(!isMember("Frank"))
        #expect(try outcome(of: "Bob", by: "Alice").returning == [circle.user("Frank")])
        try remove("Bob", by: "Alice")
        #expect(isMember("Frank") && !isMember("Bob"))
    }

    @Test mutating func `keeps what its author has decided on top of`() throws {
        try circle.add("Dave", by: "Bob")
        try circle.set(to: "Deck", by: "Alice")
        try circle.add("Erin", by: "Bob")
        #expect(takingBack("Bob", by: "Alice").kept == 1)
        let outcome = try outcome(of: "Bob", by: "Alice")
        #expect(outcome.decisions == 1 && outcome.leaving == [circle.user("Erin")])
        try remove("Bob", by: "Alice")
        #expect(isMember("Dave") && !isMember("Erin") && circle.group.name == "Deck")
        // Carol has written nothing since.
        #expect(takingBack("Bob", by: "Carol").kept == 0)
    }

    @Test mutating func `reaches somebody who left meanwhile`() throws {
        try circle.add("Dave", by: "Bob")
        try circle.write(by: "Bob", .leave(pins: []))
        try remove("Bob", by: "Alice")
        #expect(!isMember("Bob") && !isMember("Dave"))
    }

    @Test mutating func `removes nobody who was promoted since above its author`() throws {
        let (frank, erin) = (circle.user("Frank"), circle.user("Erin"))
        try circle.decide("Alice") { .promote(under: $0, target: frank, role: .moderator) }
        try circle.set("members-add", to: "everyone", by: "Alice")
        try circle.add("Erin", by: "Alice")
        try circle.add("Dave", by: "Erin")
        #expect(try outcome(of: "Erin", by: "Frank").isRemoved)
        try circle.decide("Alice") { .promote(under: $0, target: erin, role: .admin) }
        let outcome = try outcome(of: "Erin", by: "Frank")
        #expect(!outcome.isRemoved && outcome.leaving == [circle.user("Dave")])
    }
}
