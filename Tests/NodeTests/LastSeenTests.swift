import LocalAPIModel
import Node
import Testing
import Waiting

@Suite("When people were last seen")
struct LastSeenTests {
    @Test(arguments: [true, false])
    func `is still known after a restart`(isBobFirst: Bool) async throws {
        let scratch = try Scratch()
        var alice = try await Node.start("Alice", in: scratch)
        let bob = try await Node.start("Bob", in: scratch, peers: await alice.status().listening)
        await eventually("they know each other") { await alice.people().contains { $0.name == "Bob" } }
        // Of strangers nothing is kept.
        _ = try await alice.setVerified(true, of: "Bob")
        let met = try #require(try await alice.person("Bob").lastSeen)
        try await Task.sleep(for: .milliseconds(1_500))
        if isBobFirst {
            await bob.stop()
            await eventually("they are gone") { await alice.peers().isEmpty }
        }
        let before = try #require(try await alice.person("Bob").lastSeen)
        await alice.stop()

        alice = try await Node.start("Alice", in: scratch)
        let after = try #require(try await alice.person("Bob").lastSeen)
        #expect(after > met, "not when they met, which is \(met)")
        if isBobFirst { #expect(after == before) }
        await alice.stop()
        await bob.stop()
    }
}
