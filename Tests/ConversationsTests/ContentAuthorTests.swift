import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Testing
import Time

@Suite("Content is of members at its own heads")
struct ContentAuthorTests {
    /// What a replica that holds a circle's membership lane makes of content.
    private func admission(
        of operations: [Operation], by circle: Circle, after others: [[Operation]] = []
    ) throws -> Admission {
        var log = ConversationLog(
            conversation: circle.log.conversation, root: .group, introductions: MembershipBody.introductions(of:))
        var group = Group(conversation: circle.log.conversation, root: .group)
        let index = MemoryIndex()
        _ = try log.admit(Batch(lane: .membership, operations: circle.lane), using: index)
        group.insert(circle.lane)
        let lane = log.membership
        for batch in others {
            let before = try log.admit(Batch(lane: .content, operations: batch), using: index) {
                group.isMember($0, at: $1, in: lane)
            }
            if case .admitted(let admitted) = before { index.insert(admitted) }
        }
        return try log.admit(Batch(lane: .content, operations: operations), using: index) {
            group.isMember($0, at: $1, in: lane)
        }
    }

    private func refusal(of operations: [Operation], by circle: Circle) throws -> Inadmissibility? {
        guard case .inadmissible(_, let reason) = try admission(of: operations, by: circle) else { return nil }
        return reason
    }

    private static let types: [OperationType] = [
        .message, .epoch, .complaint, .wrap, .edit, .delete, .reaction, .pin, .file, OperationType(rawValue: 99),
    ]

    @Test(arguments: types)
    func `under heads that have a removal nobody takes what its target writes, whatever it is`(type: OperationType)
        throws
    {
        var circle = try Circle("Alice", "Bob", "Carol")
        let carol = circle.user("Carol")
        try circle.decide("Alice") { .remove(under: $0, target: carol, pins: []) }
        let written = try circle.write(content: [.init(type: type, body: [1])], by: "Carol")
        #expect(try refusal(of: written, by: circle) == .notAMember)
    }

    @Test func `what was written apart from the removal is taken, then and later`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        var apart = circle
        let carol = circle.user("Carol")
        try circle.decide("Alice") { .remove(under: $0, target: carol, pins: []) }
        let written = try apart.write(content: [.init(type: .message, body: [1])], by: "Carol")
        #expect(try refusal(of: written, by: circle) == nil)
    }

    @Test func `whoever left writes no more, and does again once they are back`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        try circle.write(by: "Carol", .leave(pins: []))
        var gone = circle
        let late = try gone.write(content: [.init(type: .message, body: [1])], by: "Carol")
        #expect(try refusal(of: late, by: gone) == .notAMember)
        let credentials = circle.person("Carol").credentials
        try circle.decide("Alice") { .add(under: $0, targets: [credentials]) }
        let back = try circle.write(content: [.init(type: .message, body: [2])], by: "Carol")
        #expect(try refusal(of: back, by: circle) == nil)
    }

    @Test func `to be named by what is void makes nobody an author`() throws {
        var circle = try Circle("Alice", "Bob")
        var random = SplitMix64(seed: 3)
        let mallory = Person(using: &random)
        // Bob may not add.
        let creation = try #require(circle.log.membership.operations.first).id
        try circle.write(
            by: "Bob", .add(under: .grant(operation: creation, slot: 0), targets: [mallory.credentials]))
        var log = circle.log
        let written = try log.write(
            content: [.init(type: .message, body: [1])], by: mallory.author, at: .earliest
        ).map(\.operation)
        #expect(try refusal(of: written, by: circle) == .notAMember)
    }

    @Test func `the acting admin is an author`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        try circle.write(by: "Alice", .leave(pins: []))
        #expect(circle.group.actingAdmin != nil)
        for name in ["Bob", "Carol"] {
            let written = try circle.write(content: [.init(type: .message, body: [1])], by: name)
            #expect(try admission(of: written, by: circle) != .duplicate)
            #expect(try refusal(of: [try #require(written.first)], by: circle) == nil)
        }
    }

    @Test func `whoever waits for room is no author yet`() throws {
        var circle = try Circle("Alice", "Bob")
        var random = SplitMix64(seed: 6)
        var people: [Person] = []
        for _ in 0..<Group.capacity { people.append(Person(using: &random)) }
        for start in stride(from: 0, to: people.count, by: 64) {
            let credentials = people[start..<start + 64].map(\.credentials)
            try circle.decide("Alice") { .add(under: $0, targets: credentials) }
        }
        let waiting = try #require(people.first { !circle.group.isMember($0.user) })
        let present = try #require(people.first { circle.group.isMember($0.user) })
        for (person, expected) in [(waiting, Inadmissibility.notAMember), (present, nil)] {
            var log = circle.log
            let written = try log.write(content: [.init(type: .message, body: [1])], by: person.author, at: .earliest)
            #expect(try refusal(of: written.map(\.operation), by: circle) == expected)
        }
    }

    @Test func `both sides of a direct conversation are authors for good`() throws {
        var random = SplitMix64(seed: 8)
        let (alice, bob) = (Person(using: &random), Person(using: &random))
        let root = ConversationRoot.direct(min(alice.user, bob.user), max(alice.user, bob.user))
        let conversation = ConversationID(directBetween: alice.user, and: bob.user)
        var log = ConversationLog(
            conversation: conversation, root: root, introductions: MembershipBody.introductions(of:))
        var group = Group(conversation: conversation, root: root)
        let body = MembershipBody.device(own: alice.credentials, other: bob.credentials)
        group.insert(
            try log.write(membership: [.init(type: .device, body: body.encoded)], by: alice.author, at: .earliest)
                .map(\.operation))
        for person in [alice, bob] {
            let isMember = group.isMember(person.user, at: log.membership.heads, in: log.membership)
            #expect(isMember)
        }
    }
}
