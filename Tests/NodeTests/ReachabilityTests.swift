import Glibc
import LocalAPIModel
import Node
import NodeCore
import Testing
import Waiting

@Suite("Asking a person's nodes how they reach this one")
struct ReachabilityTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func `who writes with somebody is told, and was dialed back`() async throws {
        let alice = try await Node.start("Alice", in: scratch)
        let place = try #require(await alice.status().listening.first)
        let bob = try await Node.start("Bob", in: scratch, peers: [place])
        await eventually("they know each other") { await alice.people().contains { $0.name == "Bob" } }
        await eventually("Bob knows Alice") { await bob.people().contains { $0.name == "Alice" } }
        // Nobody tells a stranger, and nobody asks one.
        let stranger = try await alice.askReachability(of: "Bob")
        #expect(!stranger.sharesConversation && stranger.nodes.map(\.answer) == [nil])

        let direct = try await alice.openDirect(with: "Bob").id
        _ = try await alice.send(["Hello"], to: direct)
        await eventually("Bob has it") { (try? await bob.messages(in: direct).messages.count) == 1 }
        _ = try await bob.markRead(direct)

        let told = try await alice.askReachability(of: "Bob")
        #expect(told.name == "Bob" && told.sharesConversation && told.nodes.count == 1)
        let answer = try #require(told.nodes.first?.answer)
        #expect(answer.reached == true && answer.address == place && answer.error == nil)
        #expect(answer.version == Node.version && abs(answer.clockSecondsAhead) < 5)
        #expect(!answer.discovery && answer.beacon == nil)
        // Who asks again at once is told what was found.
        #expect(try await alice.askReachability(of: "Bob").nodes.first?.answer?.reached == true)
        #expect(try await bob.askReachability(of: "Alice").nodes.first?.answer?.reached == true)
        await #expect(throws: NodeError.self) { try await alice.askReachability(of: "Nobody") }
        for node in [alice, bob] { await node.stop() }
        // A node that was stopped asks nobody. It hears of the end of its connections a moment later.
        #expect(try await alice.askReachability(of: "Bob").nodes.allSatisfy { $0.answer == nil })
    }

    @Test(arguments: [true, false])
    func `whoever waits for a peer that says nothing hears it when the peer or the server goes`(
        peerGoes: Bool
    ) async throws {
        let alice = try await Node.start("Alice", in: scratch)
        let place = try #require(await alice.status().listening.first)
        let bob = try await Node.start("Bob", in: scratch, peers: [place])
        await eventually("they know each other") { await alice.people().contains { $0.name == "Bob" } }
        let direct = try await alice.openDirect(with: "Bob").id
        _ = try await alice.send(["Hello"], to: direct)
        await eventually("Bob has it") { (try? await bob.messages(in: direct).messages.count) == 1 }

        // Bob took no part in it yet, so his node does not answer.
        let start = ContinuousClock.now
        async let told = alice.askReachability(of: "Bob")
        try await Task.sleep(for: .milliseconds(500))
        if peerGoes { await bob.stop() } else { await alice.endReachabilityQuestions() }
        #expect(try await told.nodes.allSatisfy { $0.answer == nil })
        #expect(start.duration(to: .now) < .seconds(4))
        await bob.stop()
        await alice.stop()
    }
}
