import LocalAPIModel
import Node
import Testing
import Waiting

@Suite("Direct conversations")
struct DirectConversationTests {
    @Test func `nobody hears of one before its first message, and who began it keeps it over a restart`() async throws {
        let scratch = try Scratch()
        var alice = try await Node.start("Alice", in: scratch)
        let bob = try await Node.start("Bob", in: scratch, peers: await alice.status().listening)
        await eventually("they know each other") { await bob.people().contains { $0.name == "Alice" } }
        let direct = try await alice.openDirect(with: "Bob").id
        #expect(try await alice.conversations().map(\.id) == [direct])
        _ = try await alice.change(PreferencesRequest(draft: "Dear Bob"), of: direct)
        _ = try await alice.type(in: direct)
        // What was written in a group before would have come by then.
        let group = try await Self.arrives(from: alice, at: bob)
        #expect(try await bob.conversations().map(\.id) == [group])
        await alice.stop()

        alice = try await Node.start("Alice", in: scratch, peers: await bob.status().listening)
        #expect(try await alice.conversation(direct).draft == "Dear Bob")
        await eventually("they have met again") { await alice.peers().count == 1 }
        #expect(try await bob.conversations().map(\.id) == [group])
        _ = try await alice.send(["Hello"], to: direct)
        await eventually("Bob has it") {
            try await bob.conversations().first { $0.id == direct }?.lastMessage?.text == "Hello"
        }
        for node in [alice, bob] { await node.stop() }
    }

    /// Waits until a group that one makes has come to the other.
    private static func arrives(from one: Node, at other: Node) async throws -> String {
        let scratch = try Scratch()
        let carol = try await Node.start("Carol", in: scratch, peers: await one.status().listening)
        await eventually("they know Carol") { await one.people().contains { $0.name == "Carol" } }
        let group = try await one.createGroup(name: "Ship", members: ["Bob", "Carol"]).id
        await eventually("it has come") { try await other.conversations().contains { $0.id == group } }
        await carol.stop()
        return group
    }
}
