import LocalAPIModel
import Node
import Testing
import Waiting

/// Alice and Bob meet because both know Carol, and share nothing.
@Suite("Nodes of strangers")
struct PartingTests {
    @Test func `part, still know each other, and are together at once when one writes`() async throws {
        let scratch = try Scratch()
        let carol = try await Node.start("Carol", in: scratch)
        let peers = await carol.status().listening
        let alice = try await Node.start("Alice", in: scratch, peers: peers)
        let bob = try await Node.start("Bob", in: scratch, peers: peers)
        await eventually("Alice meets both") { await alice.peers().count == 2 }
        try await Task.sleep(for: .seconds(29))
        // Carol's is a place that both named.
        await eventually("they part") { await alice.peers().count == 1 }
        await eventually("they part on both sides") { await bob.peers().count == 1 }
        #expect(try await alice.person("Bob").presence == .offline)
        let direct = try await alice.openDirect(with: "Bob")
        let clock = ContinuousClock()
        let began = clock.now
        _ = try await alice.send(["Hello"], to: direct.id)
        await eventually("Bob has it") {
            try await bob.conversations().contains { $0.lastMessage?.text == "Hello" }
        }
        #expect(clock.now - began < .seconds(5).scaled)
        for node in [alice, bob, carol] { await node.stop() }
    }
}
