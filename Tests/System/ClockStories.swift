import Foundation
import Testing
import Waiting

extension Stories {
    @Suite("Clocks")
    struct Clocks {
        @Test
        func `clocks that are ten years wrong, or step back, change neither the order nor who is a member`()
            async throws
        {
            let library = try await Interposed("ShiftClock")
            let (fast, stepping) = (try WallClock(library), try WallClock(library))
            try fast.set(ahead: WallClock.decade)
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            let carol = try TestNode("Carol")
            try await alice.start(environment: fast.environment)
            try await bob.start(peers: [alice], environment: stepping.environment)
            try await carol.start(peers: [alice, bob])
            await expectFullMesh([alice, bob, carol])
            try await makeGroup(alice, [bob, carol])

            var said: [String] = []
            try await alice.run("promote", ship, "Bob", "--to", "admin")
            try await talk(alice, bob, round: 1, &said)
            let first = try #require(try await bob.messages(in: ship).first { $0.text == said.first })
            #expect(try Self.yearsAhead(first) > 9, "Alice's clock is wrong")

            await eventually("Bob is told whose clock differs, and which way") {
                let warnings = try await bob.outcome(["status"]).errors
                return warnings.contains("The clock of Alice") && warnings.contains("ahead of this host's")
                    && !warnings.contains("The clock of Carol")
            }

            // Bob's clock steps while they run, and what they say next still comes after what they have read.
            try stepping.set(ahead: .zero - WallClock.decade)
            try await talk(alice, bob, round: 2, &said)
            try await bob.run("promote", ship, "Carol", "--to", "admin")
            await expectRoles(
                ["Alice": "founder", "Bob": "admin", "Carol": "admin"], at: [alice, bob, carol])
            // It steps while they are away, too, and to another time.
            await bob.stop()
            try stepping.set(ahead: .zero - WallClock.decade - WallClock.decade)
            try await bob.start(peers: [alice, carol], environment: stepping.environment)
            await expectFullMesh([alice, bob, carol])
            try await talk(bob, alice, round: 3, &said)
            try await talk(carol, bob, round: 4, &said)

            let shown = try await expectEqualReplicas([alice, bob, carol])
            #expect(shown.map(\.text) == said, "what answers something is shown after it")
            try await bob.run("remove", ship, "Carol")
            await expectRoles(["Alice": "founder", "Bob": "admin"], at: [alice, bob])
            await eventually("Carol is told") {
                try await carol.refusal("send", ship, "Still here?") == "not_a_participant"
            }
        }

        /// Two people answer each other: each has read all that was said before.
        private func talk(_ one: TestNode, _ other: TestNode, round: Int, _ said: inout [String]) async throws {
            for (turn, speaker) in [one, other, one, other].enumerated() {
                let heard = said
                await eventually("\(speaker.name) has read what was said") {
                    try await speaker.texts(in: ship) == heard
                }
                said.append("round \(round), turn \(turn), by \(speaker.name)")
                try await speaker.run("send", ship, said[said.count - 1])
            }
        }

        private static func yearsAhead(_ message: MessageAnswer) throws -> Double {
            let sent = try Date(message.sentAt, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
            return sent.timeIntervalSinceNow / (365 * 86_400)
        }
    }
}
