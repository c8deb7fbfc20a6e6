import Foundation
import Testing

extension Stories {
    @Suite("Refusals")
    struct Refusals {
        @Test
        func `a second node on the same home is refused, and the first goes on`() async throws {
            let alice = try TestNode("Alice")
            try await alice.start()
            let second = try await alice.outcome(["up", "--web", "off"] + TestNode.loopback)
            #expect(second.status != 0)
            #expect(second.errors.contains("home_in_use"), "\(second.errors)")
            #expect(try await alice.status().storage == "writable")
        }

        @Test
        func `a port in use is refused by name`() async throws {
            let alice = try TestNode("Alice")
            try await alice.start()
            let bob = try TestNode("Bob")
            let program = try await bob.launch(["--no-discovery", "--listen", try await alice.address])
            let refused = await program.ended()
            #expect(refused.status != 0)
            #expect(refused.errors.contains("port_in_use"), "\(refused.errors)")
        }

        @Test
        func `a database written by a newer version is left alone`() async throws {
            let alice = try TestNode("Alice")
            try await alice.start()
            await alice.stop()
            let database = URL(filePath: "\(alice.home)/replica.sqlite")
            var bytes = try Data(contentsOf: database)
            // The user version of an SQLite file: four bytes, the most significant first, at offset 60.
            bytes.replaceSubrange(60..<64, with: [0, 0, 8, 51])
            try bytes.write(to: database)

            let refused = await (try await alice.launch(TestNode.loopback)).ended()
            #expect(refused.status != 0)
            #expect(refused.errors.contains("newer_database"), "\(refused.errors)")
            #expect(try Data(contentsOf: database) == bytes)
        }

        @Test
        func `a command without a node says that none is running`() async throws {
            let alice = try TestNode("Alice")
            let outcome = try await alice.outcome(["status"])
            #expect(outcome.status == 69)
            #expect(outcome.errors.contains("moot up"), "it says how to start one: \(outcome.errors)")
        }

        @Test
        func `a wrong command is refused with the usage`() async throws {
            let alice = try TestNode("Alice")
            #expect(try await alice.outcome(["sned", ship, "hello"]).status == 64)
        }

        @Test
        func `an unknown conversation, an unknown person and a text too long have their codes`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            try await alice.start()
            try await bob.start(peers: [alice])
            await expectFullMesh([alice, bob])
            #expect(try await alice.refusal("send", "Nowhere", "hello") == "conversation_not_found")
            #expect(try await alice.refusal("create", ship, "Bob", "Mallory") == "unknown_person")
            #expect(try await alice.refusal("create", ship, "Bob") == "too_few_participants")
            let alone = try await alice.outcome(["create", ship])
            #expect(alone.status == 1, "\(alone.errors)")
            #expect(alone.errors.contains("Please select at least 2 other users to create a group chat"))
            let direct: ConversationAnswer = try await alice.answer("direct", "Bob")
            let long = String(repeating: "a", count: 16 * 1024 + 1)
            #expect(try await alice.refusal("send", direct.id, long) == "text_invalid")
            #expect(try await alice.refusal("leave", direct.id) == "cannot_leave_direct")
        }
    }
}
