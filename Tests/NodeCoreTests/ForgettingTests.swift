import Conversations
import OperationLog
import OperationLogFixtures
import Testing

@testable import NodeCore
@testable import Simulation

@Suite("Forgetting people")
struct ForgettingTests {
    private static let (bob, carol) = (1, 2)
    private var trio: Trio

    init() throws { trio = try Trio() }

    private mutating func forget(_ person: Int) throws(NodeError) {
        try trio.cores[0].forget(trio.cores[person].me, at: Trio.after(.seconds(60)))
    }

    private mutating func refusal(_ person: Int) -> NodeError? {
        do throws(NodeError) {
            try forget(person)
            return nil
        } catch {
            return error
        }
    }

    @Test mutating func `takes their name, their devices and the mark, in memory and on the disk`() throws {
        let bob = trio.bob.me
        try trio.cores[0].setVerified(true, of: bob, at: Trio.moment)
        trio.cores[0].keepCard(of: bob)
        trio.cores[0].keep(bob)
        try forget(Self.bob)
        #expect(!trio.alice.contacts.knows(bob))
        #expect(trio.alice.contacts.knows(trio.carol.me))
        #expect(trio.disks[0].image.profiles[bob] == nil && trio.disks[0].image.credentials[bob] == nil)
        #expect(!trio.alice.contacts[bob].isVerified)
        #expect(refusal(Self.bob)?.code == .unknownPerson)
    }

    @Test mutating func `archives the direct conversation with them, which stays`() throws {
        let direct = try trio.cores[0].openDirect(with: trio.bob.me, at: Trio.moment)
        _ = try trio.cores[0].send(["Ahoy"], to: direct, at: Trio.moment)
        try forget(Self.bob)
        let replica = try #require(trio.alice.replicas[direct])
        #expect(trio.alice.isArchived(replica))
        #expect(replica.operationCount > 0)
    }

    @Test mutating func `is refused while they share a group, and says what to do`() throws {
        let group = try trio.found()
        let refused = try #require(refusal(Self.bob))
        #expect(refused.code == .invalidOperation)
        #expect(refused.message == "Bob is in the group Ship with you")
        #expect(refused.hint?.contains("moot remove \(group.description.prefix(16))") == true)
        #expect(trio.alice.contacts.knows(trio.bob.me))
        try trio.cores[0].remove(trio.bob.me, from: group, at: Trio.moment)
        try forget(Self.bob)
        #expect(!trio.alice.contacts.knows(trio.bob.me))
    }

    @Test mutating func `is refused for whoever is connected, and for the user`() throws {
        _ = trio.connect(0, to: Self.carol)
        #expect(refusal(Self.carol)?.code == .invalidOperation)
        #expect(refusal(0)?.code == .invalidOperation)
        #expect(trio.alice.contacts.knows(trio.carol.me))
    }

    @Test mutating func `tells whoever watches, by their id`() throws {
        _ = trio.cores[0].takeEffects()
        try forget(Self.bob)
        let told = trio.cores[0].takeEffects().compactMap { effect -> UserID? in
            guard case .show(.forgotten(let user)) = effect else { return nil }
            return user
        }
        #expect(told == [trio.bob.me])
    }

    @Test mutating func `does not unblock them`() throws {
        try trio.cores[0].setBlocked(true, of: trio.bob.me, at: Trio.moment)
        try forget(Self.bob)
        #expect(trio.alice.isBlocked(trio.bob.me))
    }

    @Test mutating func `keeps nothing of people whom a void addition names, until they are let in`() throws {
        let group = try trio.found()
        var random = SeededRandom(seed: 31)
        let person = Person(using: &random).credentials
        try trio.cores[Self.bob].write([.add(under: .acting, targets: [person])], in: group)
        trio.deliver(group, from: Self.bob, to: 0)
        #expect(trio.alice.replicas[group]?.group.names(person.user) == true)
        #expect(!trio.alice.contacts.knows(person.user) && trio.disks[0].image.credentials[person.user] == nil)
        let founder = try #require(trio.alice.replicas[group]?.log.membership.operations.first)
        try trio.cores[0].write(
            [.add(under: .grant(operation: founder.id, slot: 0), targets: [person])], in: group)
        #expect(trio.alice.contacts.knows(person.user) && trio.disks[0].image.credentials[person.user] != nil)
    }
}
