import Testing
import Waiting

extension Stories {
    @Suite("Who got and read what")
    struct Receipts {
        private struct Answer: Decodable {
            struct Person: Decodable {
                let name: String
                let at: String?
            }

            let phase: String
            let read: [Person]
            let delivered: [Person]
            let missing: [Person]
            let readsShown: Bool

            /// Who is how far, for example `read: Bob, delivered: Carol`.
            var summary: String {
                [("read", read), ("delivered", delivered), ("missing", missing)].filter { !$1.isEmpty }
                    .map { "\($0): \($1.map(\.name).sorted().joined(separator: " "))" }.joined(separator: ", ")
            }
        }

        private struct OwnMessage: Decodable {
            struct State: Decodable {
                struct Receipt: Decodable {
                    let user: String
                    let at: String
                }

                let phase: String
                let recipients: Int
                let deliveredTo: [Receipt]
                let readBy: [Receipt]
            }

            let state: State?
        }

        private struct Page: Decodable {
            let messages: [OwnMessage]
        }

        private static func expect(
            _ message: MessageAnswer, at node: TestNode, _ summary: String,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async {
            await eventually("\(node.name) knows: \(summary)", sourceLocation: sourceLocation) {
                try await node.answer("receipts", message.id, as: Answer.self).summary == summary
            }
        }

        @Test
        func `a message is delivered and read by one after the other, and its author sees it live`() async throws {
            let (alice, bob, carol) = try await groupOfThree()
            let watch = try await alice.watch(ship)
            await carol.stop()
            await eventually("Alice sees that Carol is gone") { try await alice.peers() == ["Bob"] }

            let hello: MessageAnswer = try await alice.answer("send", ship, "Hello")
            await Self.expect(hello, at: alice, "delivered: Bob, missing: Carol")
            #expect(try await bob.refusal("receipts", hello.id) == "insufficient_permissions")
            await eventually("Bob has it") { try await bob.texts(in: ship) == ["Hello"] }
            try await bob.run("mark-read", ship)
            await Self.expect(hello, at: alice, "read: Bob, missing: Carol")
            await eventually("it was told live") { watch.output.contains("* Bob has read your messages\n") }

            // Carol comes back and hears of it from Bob, while Alice is gone; Alice learns it from either.
            await alice.stop()
            try await carol.start(peers: [bob])
            await eventually("Carol has it") { try await carol.texts(in: ship) == ["Hello"] }
            try await alice.start(peers: [bob])
            await Self.expect(hello, at: alice, "read: Bob, delivered: Carol")
            try await carol.run("mark-read", ship)
            await Self.expect(hello, at: alice, "read: Bob Carol")

            let own = try #require(try await alice.answer("read", ship, as: Page.self).messages.last?.state)
            #expect(own.phase == "read" && own.recipients == 2 && own.deliveredTo.count == 2 && own.readBy.count == 2)
            #expect(try await bob.answer("read", ship, as: Page.self).messages.last?.state == nil)
            let printed = try await alice.run("receipts", hello.id)
            #expect(printed.contains("read       Bob") && printed.contains("read       Carol"))
        }

        @Test
        func `who shows nobody what they read is not shown what others read`() async throws {
            let (alice, bob, carol) = try await groupOfThree()
            try await bob.run("profile", "set", "--receipts", "off")
            try await carol.run("private", ship, "--receipts", "off")
            let hello: MessageAnswer = try await alice.answer("send", ship, "Hello")
            for node in [bob, carol] {
                await eventually("\(node.name) has it") { try await node.texts(in: ship) == ["Hello"] }
                try await node.run("mark-read", ship)
            }
            let answer: MessageAnswer = try await bob.answer("send", ship, "Aye")
            await eventually("Alice has the answer") { try await alice.texts(in: ship).count == 2 }
            try await alice.run("mark-read", ship)
            // That it came is told by everybody.
            await Self.expect(hello, at: alice, "delivered: Bob Carol")
            await Self.expect(answer, at: bob, "delivered: Alice Carol")
            #expect(try await bob.answer("receipts", answer.id, as: Answer.self).readsShown == false)

            try await bob.run("profile", "set", "--receipts", "on")
            await Self.expect(answer, at: bob, "read: Alice, delivered: Carol")
            await Self.expect(hello, at: alice, "read: Bob, delivered: Carol")
            try await bob.run("private", ship, "--receipts", "off")
            await Self.expect(hello, at: alice, "delivered: Bob Carol")
        }

        @Test
        func `what was said to have been read is still known after sudden death`() async throws {
            let (alice, bob, carol) = try await groupOfThree()
            let hello: MessageAnswer = try await alice.answer("send", ship, "Hello")
            await eventually("Bob has it") { try await bob.texts(in: ship) == ["Hello"] }
            try await bob.run("mark-read", ship)
            await Self.expect(hello, at: alice, "read: Bob, delivered: Carol")
            for node in [alice, bob, carol] { await node.kill() }
            // Nobody else is there whom they could ask.
            try await alice.start()
            await Self.expect(hello, at: alice, "read: Bob, delivered: Carol")
            // What is written now reaches Carol, whose node goes on from what it said.
            try await carol.start(peers: [alice])
            let again: MessageAnswer = try await alice.answer("send", ship, "Still there?")
            await Self.expect(again, at: alice, "delivered: Carol, missing: Bob")
            try await carol.run("mark-read", ship)
            await Self.expect(again, at: alice, "read: Carol, missing: Bob")
        }
    }
}
