import Testing
import Waiting

extension Stories {
    @Suite("Blocking")
    struct Blocking {
        private struct Badge: Decodable {
            let unread: Int
        }

        private struct Person: Decodable {
            let name: String
            let blocked: Bool
        }

        private static let folded = "Message from somebody you blocked"

        private func titles(_ node: TestNode) async throws -> Set<String> {
            Set(try await node.answer("list", as: [ConversationAnswer].self).map(\.title))
        }

        @Test
        func `who is blocked is heard no more, loses nothing, and is heard again`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            let carol = try TestNode("Carol")
            try await alice.start()
            try await bob.start(peers: [alice])
            try await carol.start(peers: [alice])
            await expectFullMesh([alice, bob, carol])
            try await makeGroup(alice, [bob, carol])
            try await carol.run("send", ship, "one")
            let direct: ConversationAnswer = try await carol.answer("direct", "Bob")
            try await carol.run("send", direct.id, "psst")
            await eventually("Bob has both") {
                let group = try await bob.texts(in: ship)
                let alone = try await bob.texts(in: "Carol")
                return group == ["one"] && alone == ["psst"]
            }
            #expect(try await titles(bob) == [ship, "Carol"])
            try await bob.run("mark-read", ship)

            let blocked: Person = try await bob.answer("people", "block", "Carol")
            #expect(blocked.blocked)
            #expect(try await bob.run("people").contains("Carol (blocked)"))
            #expect(try await titles(bob) == [ship])
            #expect(try await bob.texts(in: ship) == [Self.folded])
            #expect(try await bob.refusal("send", direct.id, "Hello") == "invalid_operation")
            #expect(try await bob.refusal("people", "block", "Bob") == "invalid_operation")
            let watch = try await bob.watch(ship)
            try await carol.run("typing", ship)
            try await carol.run("send", ship, "two")
            try await carol.run("send", direct.id, "are you there?")
            await eventually("Bob knows that there is another") {
                try await bob.texts(in: ship) == [Self.folded, Self.folded]
            }
            #expect(!watch.output.contains("typing") && !watch.output.contains("two"))
            watch.signal(2)
            #expect(try await bob.answer("status", as: Badge.self).unread == 0)
            #expect(try await bob.run("search", "two").contains("two") == false)

            // It is Bob's own affair, survives their crash, and makes no replica another.
            await bob.kill()
            try await bob.start(peers: [alice])
            await expectFullMesh([alice, bob, carol])
            #expect(try await bob.texts(in: ship) == [Self.folded, Self.folded])
            await expectEqualDigests([alice, bob, carol])
            #expect(try await alice.texts(in: ship) == ["one", "two"])
            #expect(try await alice.answer("people", as: [Person].self).allSatisfy { !$0.blocked })

            try await bob.run("people", "unblock", "Carol")
            #expect(try await bob.texts(in: ship) == ["one", "two"])
            #expect(try await titles(bob) == [ship, "Carol"])
            #expect(try await bob.texts(in: "Carol") == ["psst", "are you there?"])
        }
    }
}
