import LocalAPIModel
import Node
import NodeCore
import Testing
import Waiting

@Suite("Requests that are asked again")
struct RepeatedRequestTests {
    @Test func `a request is answered with what it made after a restart too, and nothing is sent twice`() async throws {
        let scratch = try Scratch()
        var alice = try await Node.start("Alice", in: scratch)
        let peers = await alice.status().listening
        let others = [
            try await Node.start("Bob", in: scratch, peers: peers),
            try await Node.start("Carol", in: scratch, peers: peers),
        ]
        await eventually("they have met") { await alice.hasMet(2) }
        let group = try await alice.createGroup(name: "Ship", members: ["Bob", "Carol"]).id
        let one = try await alice.send(["Once"], to: group, clientID: "1").map(\.id)
        let several = try await alice.send(["a", "b"], to: group, clientID: "2").map(\.id)
        await alice.stop()

        alice = try await Node.start("Alice", in: scratch)
        #expect(try await alice.send(["Once"], to: group, clientID: "1").map(\.id) == one)
        #expect(try await alice.send(["a", "b"], to: group, clientID: "2").map(\.id) == several)
        await #expect(throws: NodeError.self) { try await alice.send(["Something else"], to: group, clientID: "1") }
        let texts = try await alice.messages(in: group).messages.filter { $0.kind == .text }.map(\.text)
        #expect(texts == ["Once", "a", "b"])
        for node in others + [alice] { await node.stop() }
    }
}
