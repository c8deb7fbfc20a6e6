import LocalAPIModel
import NodeCore
import Testing
import Waiting

@testable import Node

@Suite("What a text means that names a person or a conversation")
struct MeantNameTests {
    private let scratch: Scratch
    private let alice: Node

    init() async throws {
        scratch = try Scratch()
        alice = try await Node.start("Alice", in: scratch)
    }

    /// Somebody whom Alice has seen, and their id.
    private func neighbor(_ name: String) async throws -> (node: Node, user: String) {
        let node = try await Node.start(name, in: scratch, peers: await alice.status().listening)
        await eventually("Alice has seen \(name)") { await alice.people().contains { $0.name == name } }
        let user = try #require(await alice.people().first { $0.name == name }?.user)
        return (node, user)
    }

    @Test func `digits of a friend's id mean the friend, and nobody who is called so`() async throws {
        let marcus = try await neighbor("Marcus")
        let digits = String(marcus.user.prefix(16))
        let stranger = try await neighbor(digits)
        #expect(try await alice.person(digits).user == marcus.user)
        #expect(try await alice.person(" \(digits.uppercased())").user == marcus.user)
        _ = try await alice.openDirect(with: digits)
        let sent = try await alice.send(["Fair winds"], to: digits)
        let direct = try await alice.openDirect(with: marcus.user).id
        #expect(sent.map(\.conversation) == [direct])
        #expect(try await alice.person(stranger.user).user == stranger.user)
        for node in [alice, marcus.node, stranger.node] { await node.stop() }
    }

    @Test func `digits that begin no id mean nobody, and the refusal says how who is called so is reached`()
        async throws
    {
        let stranger = try await neighbor("deadbeef")
        let refusal = await #expect(throws: NodeError.self) { try await alice.person("deadbeef") }
        #expect(refusal?.code == .unknownPerson)
        #expect(refusal?.message.contains("mean an id, never a name") == true)
        #expect(refusal?.hint?.contains(stranger.user.prefix(16)) == true)
        for node in [alice, stranger.node] { await node.stop() }
    }

    @Test func `digits of a group's id mean the group, and none that is called so`() async throws {
        let bob = try await neighbor("Bob")
        let carol = try await neighbor("Carol")
        let ship = try await alice.createGroup(name: "Ship", members: ["Bob", "Carol"]).id
        let digits = String(ship.prefix(12))
        await eventually("Bob knows everybody") { await bob.node.people().contains { $0.name == "Carol" } }
        let other = try await bob.node.createGroup(name: digits, members: ["Alice", "Carol"]).id
        await eventually("it has come") { try await alice.conversations().contains { $0.id == other } }
        #expect(try await alice.send(["Fair winds"], to: digits).map(\.conversation) == [ship])
        #expect(try await alice.conversation(other).id == other)
        for node in [alice, bob.node, carol.node] { await node.stop() }
    }

    @Test(arguments: ["Notes to yourself", "notes to yourself", "me"])
    func `what is sent to oneself begins the notes, and is nobody else's`(name: String) async throws {
        let sent = try await alice.send(["My PIN is 1234"], to: name)
        let notes = try await alice.openDirect(with: "me")
        #expect(sent.map(\.conversation) == [notes.id])
        #expect(notes.title == "Notes to yourself")
        await alice.stop()
    }

    @Test func `nobody is reached by a name that somebody's name only looks like`() async throws {
        // The first two letters are Cyrillic.
        let stranger = try await neighbor("Маrcus")
        let alone = await #expect(throws: NodeError.self) { try await alice.person("Marcus") }
        #expect(alone?.code == .unknownPerson)
        let marcus = try await neighbor("Marcus")
        let both = await #expect(throws: NodeError.self) { try await alice.person("Marcus") }
        #expect(both?.code == .ambiguousName)
        #expect(await alice.status().namesakes.map { Set($0.map(\.user)) } == [[marcus.user, stranger.user]])
        for node in [alice, marcus.node, stranger.node] { await node.stop() }
    }

    @Test(arguments: ["Deleted User", "DELETED  USER", "Dеleted User", "Unknown", "Notes to yourse1f", "You", "me"])
    func `nobody takes a word of Moot's own as their name`(name: String) async throws {
        let refusal = await #expect(throws: NodeError.self) { try await alice.setProfile(name: name) }
        #expect(refusal?.code == .nameInvalid)
        await alice.stop()
    }
}
