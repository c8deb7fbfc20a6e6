import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Testing
import Time

@testable import Simulation

/// Every kind of damage, one at a time, and the finding that names it.
@Suite("The naive log finds")
struct NaiveLogDamageTests {
    private let neighbors: Neighbors
    private let forgery: Forgery
    private let held: [Operation]
    private let stranger: Person

    init() throws {
        var random = SplitMix64(seed: 7)
        var neighbors = try Neighbors(3, using: &random)
        try neighbors.writeMessages(3, by: 0)
        try neighbors.hear(from: 0, at: 1)
        try neighbors.write(.merge, by: 1)
        try neighbors.writeMessages(1, by: 1)
        try neighbors.hear(from: 1, at: 0)
        stranger = Person(using: &random)
        self.neighbors = neighbors
        forgery = Forgery(of: neighbors)
        held = neighbors.held[0].map(\.operation)
    }

    private var alice: Person { neighbors.people[0] }
    private var bob: Person { neighbors.people[1] }
    private var carol: Person { neighbors.people[2] }
    private func messages(of person: Person) -> [Operation] {
        held.filter { $0.header.lane == .content && $0.author.id == person.device }
    }

    private func findings(with operation: Operation) -> [String] {
        neighbors.oracle(holding: held + [operation]).findings()
    }

    private func findings(without operation: Operation) -> [String] {
        neighbors.oracle(holding: held.filter { $0.id != operation.id }).findings()
    }

    /// Whether something was found, and every finding ends in one of these.
    private func expect(
        _ findings: [String], _ endings: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for ending in endings {
            #expect(findings.contains { $0.hasSuffix(ending) }, "\(findings)", sourceLocation: sourceLocation)
        }
        #expect(
            findings.allSatisfy { finding in endings.contains { finding.hasSuffix($0) } }, "\(findings)",
            sourceLocation: sourceLocation)
    }

    private func short(_ id: OperationID) -> String { String(id.description.prefix(8)) }

    @Test func `nothing before anything is damaged`() {
        #expect(neighbors.oracle(holding: held).findings() == [])
        #expect(findings(with: forgery.message(by: carol)) == [])
        #expect(findings(with: forgery.membership(by: carol)) == [])
    }

    @Test func `an operation held twice`() {
        expect(findings(with: held[0]), "is held twice")
    }

    @Test func `a gap in a chain`() {
        let lost = messages(of: alice)[1]
        expect(
            findings(without: lost), "lacks its previous \(short(lost.id))", "has 2 numbers up to 3",
            // The signature of the last message of the burst covers the first no longer.
            "has no signature")
    }

    @Test func `a dependency that is not here`() {
        let last = messages(of: alice)[2]
        expect(findings(without: last), "lacks its dependency \(short(last.id))", "has no signature")
    }

    @Test func `a membership head that is not here`() throws {
        let merge = try #require(held.last { $0.header.lane == .membership })
        expect(
            findings(without: merge), "lacks its membership head \(short(merge.id))",
            "is of a device that its membership past does not certify",
            "is of a user whom its membership past does not know",
            "has a membership past that lacks some of \(short(messages(of: alice)[2].id))'s")
    }

    @Test func `a wrong previous`() {
        let messages = messages(of: alice)
        expect(
            findings(with: forgery.message(by: alice, after: messages[2]) { $0.previous = messages[0].id }),
            "does not follow its number")
        expect(
            findings(with: forgery.message(by: carol, after: messages[0])), "follows another device's operation",
            "has 1 numbers up to 2")
        expect(
            findings(with: forgery.message(by: alice, after: forgery.addition)),
            "follows an operation of the other lane")
    }

    @Test func `a dependency on the other lane`() {
        let message = messages(of: alice)[0]
        expect(
            findings(
                with: forgery.membership(by: carol) { $0.dependencies = [forgery.addition.id, message.id].sorted() }),
            "depends on the other lane's \(short(message.id))")
        expect(
            findings(
                with: forgery.message(by: carol) { $0.membershipHeads = [forgery.addition.id, message.id].sorted() }),
            "names the message \(short(message.id)) as a head")
    }

    @Test func `names that are out of order`() {
        let messages = messages(of: alice).map(\.id).sorted()
        expect(
            findings(with: forgery.message(by: carol) { $0.dependencies = [messages[1], messages[0]] }),
            "names dependencies out of order")
    }

    @Test func `a membership past that shrinks`() throws {
        let message = try #require(messages(of: bob).last)
        expect(
            findings(with: forgery.message(by: carol) { $0.dependencies = [message.id] }),
            "has a membership past that lacks some of \(short(message.id))'s")
    }

    @Test func `an author whom nobody introduced`() {
        expect(
            findings(with: forgery.message(by: stranger)), "is of a device that its membership past does not certify",
            "is of a user whom its membership past does not know")
        expect(
            findings(with: forgery.membership(by: stranger)), "is of a device that its past does not certify",
            "is of a user whom its past does not know")
        let record = MembershipBody.device(own: Neighbors.credentials(of: stranger)).encoded
        expect(
            findings(with: forgery.membership(by: stranger, type: .device, body: record)),
            "is of a user whom its past does not know")
    }

    @Test func `an author who was introduced elsewhere than in the past`() {
        expect(
            findings(with: forgery.message(by: carol) { $0.membershipHeads = [forgery.creation.id] }),
            "is of a device that its membership past does not certify",
            "is of a user whom its membership past does not know")
    }

    @Test func `a body that cannot be read, or speaks for another`() {
        expect(
            findings(with: forgery.membership(by: carol, type: .set, body: [7])),
            "has a malformed body: authority holds a value it may not")
        let record = MembershipBody.device(own: Neighbors.credentials(of: bob)).encoded
        expect(
            findings(with: forgery.membership(by: carol, type: .device, body: record)),
            "has a malformed body: identity record holds a value it may not")
    }

    @Test func `another conversation`() {
        let elsewhere = ConversationID(digest: .hash("test", [1]))
        expect(
            findings(with: forgery.message(by: carol) { $0.conversation = elsewhere }), "is of another conversation")
        let body = MembershipBody.create(
            nonce: Array(repeating: 1, count: 16), founder: Neighbors.credentials(of: carol)
        ).encoded
        expect(
            findings(with: ConversationLog.creation(body: body, by: carol.author, at: .earliest)),
            "creates another conversation")
    }

    @Test func `a name that is not the header's`() throws {
        let message = forgery.message(by: carol)
        let renamed = try Forgery.damaged(
            message, id: OperationID(digest: .hash("test", [2])), signature: message.signature)
        expect(findings(with: renamed), "is not named by its header", "has a false signature")
    }

    @Test func `a body that is not the header's`() throws {
        let message = forgery.message(by: carol)
        expect(
            findings(with: try Forgery.damaged(message, body: [0, 1, 66], signature: message.signature)),
            "has a body of another digest")
        expect(
            findings(with: try Forgery.damaged(message, body: [], signature: message.signature)),
            "has a body of another length", "has a body of another digest")
    }

    @Test func `keys that are not the device's`() throws {
        let message = forgery.message(by: carol)
        expect(
            findings(with: try Forgery.damaged(message, author: bob.author.device, signature: message.signature)),
            "is not of the device whose keys it has", "has a false signature")
    }

    @Test func `a signature that is missing or false`() throws {
        let message = forgery.message(by: carol)
        expect(findings(with: try Forgery.damaged(message, signature: nil)), "has no signature")
        let other = try #require(messages(of: bob).last?.signature)
        expect(findings(with: try Forgery.damaged(message, signature: other)), "has a false signature")
        #expect(
            neighbors.oracle(holding: held + [try Forgery.damaged(message, signature: other)])
                .findings(verifyingSignatures: false) == [])
        let merge = try Forgery.damaged(forgery.membership(by: carol), signature: nil)
        expect(findings(with: merge), "has no signature")
    }

    @Test func `what has no place in a direct conversation`() {
        let conversation = ConversationID(directBetween: alice.user, and: bob.user)
        let root = ConversationRoot.direct(min(alice.user, bob.user), max(alice.user, bob.user))
        func operation(by person: Person, _ body: MembershipBody) -> Operation {
            forgery.membership(by: person, type: body.type, body: body.encoded) {
                $0.conversation = conversation
                $0.dependencies = []
            }
        }
        func findings(_ operations: Operation...) -> [String] {
            NaiveLog(of: conversation, root: root, holding: operations).findings()
        }
        let beginning = [alice, bob].map { operation(by: $0, .device(own: Neighbors.credentials(of: $0))) }
        #expect(findings(beginning[0], beginning[1]) == [])
        expect(
            findings(operation(by: alice, .merge)), "is of a device that its past does not certify")
        expect(
            findings(operation(by: carol, .device(own: Neighbors.credentials(of: carol)))),
            "is of a user whom its past does not know")
        expect(
            findings(neighbors.creation), "creates a direct conversation", "creates another conversation",
            "has no place in a direct conversation")
    }
}
