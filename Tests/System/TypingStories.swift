import Testing
import Waiting

extension Stories {
    @Suite("Typing")
    struct Typing {
        private struct TypingAnswer: Decodable {
            let people: [PersonAnswer]
            let text: String?
        }

        @Test
        func `two people at their terminals see each other type, until they send or stop`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            let carol = try TestNode("Carol")
            try await alice.start()
            try await bob.start(peers: [alice])
            try await carol.start(peers: [alice])
            await expectFullMesh([alice, bob, carol])
            try await makeGroup(alice, [bob, carol])
            let aliceChat = try await Screen.chat(of: alice, in: ship)
            let bobChat = try await Screen.chat(of: bob, in: ship)

            // Nobody has written yet, so the key for it is made now.
            try await aliceChat.type("Hello")
            await bobChat.expect("Alice is typing...")
            try await aliceChat.press("Enter")
            await bobChat.expect("Alice: Hello")
            await bobChat.expectNo("is typing")

            let begun = ContinuousClock.now
            try await bobChat.type("Hm")
            await aliceChat.expect("Bob is typing...")
            await aliceChat.expectNo("is typing")
            #expect(ContinuousClock.now - begun < .seconds(8).scaled)
            // A command is no message.
            try await bobChat.press("C-u")
            try await bobChat.type("/help")
            try await Task.sleep(for: .milliseconds(500))
            #expect(try await !aliceChat.shown().contains { $0.contains("Bob is typing") })
        }

        @Test
        func `programs are told who types, also that somebody does who is removed meanwhile`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            let carol = try TestNode("Carol")
            try await alice.start()
            try await bob.start(peers: [alice])
            try await carol.start(peers: [alice])
            await expectFullMesh([alice, bob, carol])
            try await makeGroup(alice, [bob, carol])
            try await alice.run("send", ship, "first")
            await eventually("Carol has it") { try await carol.texts(in: ship) == ["first"] }
            await eventually("Bob has it") { try await bob.texts(in: ship) == ["first"] }

            let watch = try await alice.watch(ship)
            await eventually("Alice is told of both") {
                try await bob.run("typing", ship)
                try await carol.run("typing", ship)
                return watch.output.contains("Bob and Carol are typing...")
                    || watch.output.contains("Carol and Bob are typing...")
            }
            let seen: TypingAnswer = try await alice.answer("typing", ship)
            #expect(Set(seen.people.map(\.name)) == ["Bob", "Carol"])
            try await alice.run("remove", ship, "Carol")
            let left: TypingAnswer = try await alice.answer("typing", ship)
            #expect(!left.people.contains { $0.name == "Carol" })
            await eventually("Carol is out") { try await carol.refusal("typing", ship) == "not_a_participant" }
            await eventually("nobody types any more") {
                try await alice.answer("typing", ship, as: TypingAnswer.self).text == nil
            }
            watch.signal(2)
            #expect(try await alice.refusal("typing", "Nowhere") == "conversation_not_found")
        }
    }
}
