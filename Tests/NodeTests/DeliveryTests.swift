import LocalAPIModel
import Node
import NodeCore
import Testing
import Waiting

/// How far what a user does has come, from their own node.
@Suite("How far own messages and own changes have come")
struct DeliveryTests {
    /// Starts Alice, Bob and Carol, who meet.
    private func meet(in scratch: Scratch) async throws -> (alice: Node, bob: Node, carol: Node) {
        let alice = try await Node.start("Alice", in: scratch)
        let peers = await alice.status().listening
        let bob = try await Node.start("Bob", in: scratch, peers: peers)
        let carol = try await Node.start("Carol", in: scratch, peers: peers)
        for node in [alice, bob, carol] {
            await eventually("everybody knows everybody") { await node.hasMet(2) }
        }
        // Of strangers nothing is kept when they are gone.
        let crew = try await alice.createGroup(name: "Crew", members: ["Bob", "Carol"])
        await eventually("all have a group") { try await alice.conversation(crew.id).sync == .synced }
        return (alice, bob, carol)
    }

    private func changes(_ node: Node, in group: String) async throws -> [DeliveryState.Phase?] {
        try await node.messages(in: group).messages.filter { $0.kind == .system }.map(\.state?.phase)
    }

    @Test func `a change is pending until a member has it, and what a member has stays synced over a restart`()
        async throws
    {
        let scratch = try Scratch()
        var (alice, bob, carol) = try await meet(in: scratch)
        await bob.stop()
        await carol.stop()
        await eventually("Alice is alone") { await alice.peers().isEmpty }
        let created = try await alice.createGroup(name: "Ship", members: ["Bob", "Carol"])
        let group = created.id
        #expect(created.sync == .pending)
        #expect(try await Set(changes(alice, in: group)) == [.pending])

        bob = try await Node.start("Bob", in: scratch, peers: await alice.status().listening)
        await eventually("it is synced") { try await alice.conversation(group).sync == .synced }
        #expect(try await Set(changes(alice, in: group)) == [.delivered])
        #expect(try await Set(changes(bob, in: group)) == [nil], "what others did has no state")
        await bob.stop()
        await alice.stop()

        alice = try await Node.start("Alice", in: scratch)
        #expect(try await alice.conversation(group).sync == .synced)
        #expect(try await Set(changes(alice, in: group)) == [.delivered])
        _ = try await alice.remove("Carol", from: group)
        #expect(try await alice.conversation(group).sync == .pending)
        #expect(try await changes(alice, in: group).last == .pending)
        await alice.stop()
        _ = carol
    }

    @Test func `who leaves sees that it is known`() async throws {
        let scratch = try Scratch()
        let (alice, bob, carol) = try await meet(in: scratch)
        let group = try await alice.createGroup(name: "Ship", members: ["Bob", "Carol"]).id
        await eventually("Bob is in") { try await bob.conversations().contains { $0.id == group } }
        _ = try await bob.leave(group)
        await eventually("it is synced") { try await bob.conversation(group).sync == .synced }
        for node in [alice, bob, carol] { await node.stop() }
    }

    @Test func `what nobody received before its author was removed has failed, and can be dismissed`() async throws {
        let scratch = try Scratch()
        var (alice, bob, carol) = try await meet(in: scratch)
        let group = try await alice.createGroup(name: "Ship", members: ["Bob", "Carol"]).id
        await eventually("Carol is in") { try await carol.conversations().contains { $0.id == group } }
        let before = try await carol.send(["Before"], to: group)[0].id
        await eventually("it is delivered") { try await carol.message(before).state?.phase != .pending }
        await alice.stop()
        await bob.stop()
        await eventually("Carol is alone") { await carol.peers().isEmpty }
        let lost = try await carol.send(["Lost"], to: group)[0].id
        #expect(try await carol.message(lost).state?.phase == .pending)
        await carol.stop()
        alice = try await Node.start("Alice", in: scratch)
        _ = try await alice.remove("Carol", from: group)

        carol = try await Node.start("Carol", in: scratch, peers: await alice.status().listening)
        await eventually("it has failed") { try await carol.message(lost).state?.phase == .failed }
        let failed = try await carol.message(lost)
        #expect(failed.text == "Lost", "it can be copied")
        #expect(failed.state?.reason == "You were removed before anybody received this")
        #expect(try await carol.message(before).state?.phase != .failed)
        #expect(try await carol.conversation(group).sync == .synced)
        _ = try await carol.cancel(lost)
        let left = try await carol.messages(in: group).messages.filter { $0.kind == .text }.map(\.text)
        #expect(left == ["Before"])
        await #expect(throws: NodeError.self) { try await carol.cancel(before) }
        bob = alice
        for node in [bob, carol] { await node.stop() }
    }
}
