import LocalAPIModel
import Node
import Testing
import Waiting

@Suite("Archiving by itself")
struct ArchivingTests {
    @Test func `a group that one leaves again goes into the archive again, and so does one that others left`()
        async throws
    {
        let scratch = try Scratch()
        let alice = try await Node.start("Alice", in: scratch)
        let peers = await alice.status().listening
        let bob = try await Node.start("Bob", in: scratch, peers: peers)
        let carol = try await Node.start("Carol", in: scratch, peers: peers)
        for node in [alice, bob, carol] {
            await eventually("everybody knows everybody") { await node.hasMet(2) }
        }
        let ship = try await alice.createGroup(name: "Ship", members: ["Bob", "Carol"]).id
        await eventually("Bob is in") { try await !bob.conversations().isEmpty }
        #expect(try await bob.leave(ship).archived)
        #expect(try await !bob.change(PreferencesRequest(archived: false), of: ship).archived)
        await eventually("Alice knows") { try await alice.conversation(ship).memberCount == 2 }
        _ = try await alice.add(["Bob"], to: ship)
        await eventually("Bob is in again") { try await bob.conversation(ship).me.isMember }
        #expect(try await bob.leave(ship).archived)

        await eventually("Alice knows") { try await alice.conversation(ship).memberCount == 2 }
        _ = try await alice.remove("Carol", from: ship, archive: true)
        #expect(try await alice.conversation(ship).archived)
        _ = try await alice.change(PreferencesRequest(archived: false), of: ship)
        _ = try await alice.add(["Carol"], to: ship)
        #expect(try await !alice.conversation(ship).archived)
        #expect(try await alice.remove("Carol", from: ship, archive: true).archived)
        for node in [alice, bob, carol] { await node.stop() }
    }
}
