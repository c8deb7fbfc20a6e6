import Testing
import Waiting

extension Stories {
    @Suite("Chat")
    struct Chat {
        @Test
        func `two people who met write to each other directly`() async throws {
            let (alice, bob) = (try TestNode("Alice"), try TestNode("Bob"))
            try await start(together: [alice, bob])

            let direct: ConversationAnswer = try await alice.answer("direct", "Bob")
            try await alice.run("send", direct.id, "Hello Bob")
            await eventually("Bob reads what Alice wrote") {
                try await bob.texts(in: direct.id) == ["Hello Bob"]
            }
            try await bob.run("send", direct.id, "Hello Alice")
            await eventually("Alice reads what Bob wrote") {
                try await alice.texts(in: direct.id) == ["Hello Bob", "Hello Alice"]
            }

            await alice.stop()
            await bob.stop()
        }

        @Test
        func `three people in a group see the same messages in the same order`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            let carol = try TestNode("Carol")
            try await alice.start()
            try await bob.start(peers: [alice])
            // Carol is told only of Alice, and learns from Alice that Bob is there.
            try await carol.start(peers: [alice])
            await expectFullMesh([alice, bob, carol])
            try await makeGroup(alice, [bob, carol])

            for round in 1...5 {
                for node in [alice, bob, carol] {
                    try await node.run("send", ship, "\(node.name) \(round)")
                }
            }
            let shown = try await expectEqualReplicas([alice, bob, carol])
            #expect(shown.count == 15)
            for node in [alice, bob, carol] {
                let own = shown.map(\.text).filter { $0.hasPrefix(node.name) }
                #expect(own == (1...5).map { "\(node.name) \($0)" }, "a person's messages keep their order")
            }
            let group: ConversationAnswer = try await carol.answer("info", ship)
            #expect(Set(group.members.map(\.name)) == ["Alice", "Bob", "Carol"])
            #expect(group.members.first { $0.name == "Alice" }?.role == "founder")
        }

        @Test
        func `what was written while nobody else was there arrives when they come back`() async throws {
            let (alice, bob, carol) = try await groupOfThree()
            await bob.stop()
            await carol.stop()

            try await alice.run("send", ship, "Into the void")
            try await bob.start(peers: [alice])
            await eventually("Bob has what they missed") { try await bob.texts(in: ship) == ["Into the void"] }

            // Carol gets Alice's message from Bob: any replica serves any operation.
            await alice.stop()
            try await carol.start(peers: [bob])
            await eventually("Carol has it too") { try await carol.texts(in: ship) == ["Into the void"] }
        }

        @Test
        func `a text comes back as it was sent, whatever is in it`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            try await alice.start()
            try await bob.start(peers: [alice])
            await expectFullMesh([alice, bob])
            let direct: ConversationAnswer = try await alice.answer("direct", "Bob")

            let texts = [
                "-n", "two\nlines", "\"quoted\" \\ 'text'", "Grüße, 世界 👩‍👩‍👧‍👦", String(repeating: "a", count: 16 * 1024),
            ]
            for text in texts { try await alice.run("send", direct.id, "-", input: text) }
            await eventually("Bob has them all") { try await bob.texts(in: direct.id) == texts }
        }
    }
}
