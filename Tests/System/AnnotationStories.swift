import Foundation
import Testing
import Waiting

extension Stories {
    @Suite("What becomes of messages")
    struct Annotations {
        @Test
        func `edits, reactions, answers, mentions and pins are shown alike by everybody`() async throws {
            let (alice, bob, carol) = try await groupOfThree()
            let hello: MessageAnswer = try await alice.answer("send", ship, "Helo @bob")
            #expect(hello.mentions == [try await bob.status().user])
            let answer: MessageAnswer = try await bob.answer(
                "send", ship, "Aye", "--reply", String(hello.id.prefix(12)))
            #expect(answer.replyTo == hello.id)
            await eventually("Carol has both") { try await carol.texts(in: ship) == ["Helo @bob", "Aye"] }

            // Whoever reads and does not write has no more unread messages for it.
            let unread = try await carol.answer("mark-read", ship, as: ConversationAnswer.self).unread
            #expect(unread == 0)
            try await alice.run("edit", hello.id, "Hello")
            try await bob.run("react", hello.id, "🚢")
            try await carol.run("react", String(hello.id.prefix(12)), "🚢")
            try await carol.run("react", hello.id, "❤️")
            try await carol.run("react", answer.id, "👎")
            try await carol.run("react", answer.id, "👎", "--remove")
            try await alice.run("pin", answer.id)

            let shown = try await expectEqualReplicas([alice, bob, carol])
            #expect(shown.map(\.text) == ["Hello", "Aye"])
            #expect(shown[0].editedAt != nil && shown[1].editedAt == nil)
            #expect(shown[0].mentions.isEmpty, "an edit says anew whom it names")
            let ships = try #require(shown[0].reactions.first { $0.emoji == "🚢" })
            #expect(Set(ships.names) == ["Bob", "Carol"])
            #expect(shown[0].reactions.count == 2 && shown[1].reactions.isEmpty)
            #expect(shown.map(\.pinned) == [false, true])
            let quote = try #require(shown[1].quote)
            #expect(quote.senderName == "Alice" && quote.text == "Hello")

            for node in [alice, bob, carol] {
                #expect(try await node.answer("pins", ship, as: [MessageAnswer].self).map(\.id) == [answer.id])
                let group: ConversationAnswer = try await node.answer("info", ship)
                #expect(group.lastMessage?.id == answer.id, "only messages are the last message")
            }
            #expect(try await carol.answer("info", ship, as: ConversationAnswer.self).unread == 0)
            let printed = try await carol.run("read", ship)
            #expect(printed.contains("Alice: Hello (edited)\n") && printed.contains("╭─ Alice: Hello\n"))
            #expect(printed.contains("Aye (pinned)"))
        }

        @Test
        func `its author deletes a message, or a moderator, and nobody else`() async throws {
            let (alice, bob, carol) = try await groupOfThree()
            let regretted: MessageAnswer = try await carol.answer("send", ship, "something I regret")
            let rude: MessageAnswer = try await carol.answer("send", ship, "something rude")
            await eventually("Bob has both") { try await bob.texts(in: ship).count == 2 }

            #expect(try await bob.refusal("delete", rude.id) == "insufficient_permissions")
            #expect(try await bob.refusal("edit", rude.id, "something nice") == "insufficient_permissions")
            #expect(try await bob.refusal("pin", rude.id) == "insufficient_permissions")
            #expect(try await bob.refusal("react", rude.id, "two words") == "text_invalid")
            #expect(try await bob.refusal("delete", "0123456789ab") == "message_not_found")

            try await alice.run("promote", ship, "Bob", "--to", "moderator")
            await expectRoles(["Alice": "founder", "Bob": "moderator", "Carol": "member"], at: [alice, bob, carol])
            try await bob.run("pin", rude.id)
            await eventually("Carol sees it pinned") {
                try await carol.answer("pins", ship, as: [MessageAnswer].self).count == 1
            }
            try await bob.run("delete", rude.id)
            try await carol.run("delete", regretted.id)
            let answer: MessageAnswer = try await alice.answer("send", ship, "why?", "--reply", regretted.id)
            #expect(answer.quote?.readability == "deleted")

            let shown = try await expectEqualReplicas([alice, bob, carol])
            #expect(shown.map(\.text) == ["", "", "why?"])
            #expect(shown.map(\.deleted) == [true, true, false])
            #expect(try await alice.refusal("react", rude.id, "👍") == "invalid_operation")
            #expect(try await carol.refusal("edit", regretted.id, "again") == "invalid_operation")
            for node in [alice, bob, carol] {
                #expect(try await node.answer("pins", ship, as: [MessageAnswer].self).isEmpty)
                for output in [try await node.run("read", ship), try await node.run("list")] {
                    #expect(!output.contains("rude") && !output.contains("regret"))
                }
            }
        }

        @Test
        func `who edits, deletes and reacts apart from each other agree when they meet`() async throws {
            let (alice, bob, carol) = try await groupOfThree()
            let first: MessageAnswer = try await alice.answer("send", ship, "first")
            let second: MessageAnswer = try await alice.answer("send", ship, "second")
            await eventually("all have both") {
                for node in [bob, carol] where try await node.texts(in: ship).count != 2 { return false }
                return true
            }
            try await alice.run("promote", ship, "Bob", "--to", "moderator")
            await expectRoles(["Alice": "founder", "Bob": "moderator", "Carol": "member"], at: [alice, bob, carol])

            // Each says something while nobody else is there.
            await alice.stop()
            await carol.stop()
            try await bob.run("delete", first.id)
            try await bob.run("react", second.id, "👍")
            await bob.stop()
            try await alice.start()
            try await alice.run("edit", first.id, "first, and better")
            try await alice.run("edit", second.id, "second, and better")
            await alice.stop()
            try await carol.start()
            try await carol.run("react", first.id, "🎉")
            try await carol.run("react", second.id, "👍")

            try await alice.start(peers: [carol])
            try await bob.start(peers: [alice, carol])
            let shown = try await expectEqualReplicas([alice, bob, carol])
            #expect(shown.map(\.text) == ["", "second, and better"])
            #expect(shown[0].deleted && shown[0].reactions.isEmpty)
            #expect(shown[1].reactions.map { Set($0.names) } == [["Bob", "Carol"]])
        }

        @Test
        func `a message that nobody has yet is canceled, and nobody ever reads it or misses it`() async throws {
            let (alice, bob, carol) = try await groupOfThree()
            await bob.stop()
            await carol.stop()
            await eventually("Alice is alone") { try await alice.peers().isEmpty }
            let secret: MessageAnswer = try await alice.answer("send", ship, "a hasty word")
            try await alice.run("edit", secret.id, "another hasty word")
            let sober: MessageAnswer = try await alice.answer("send", ship, "a sober word")
            let canceled: MessageAnswer = try await alice.answer("cancel", secret.id)
            #expect(canceled.deleted && canceled.text.isEmpty)
            await alice.stop()
            try await alice.start()

            // Bob has it from Alice, Carol from Bob alone; neither waits for a text that will never come.
            try await bob.start(peers: [alice])
            await expectEqualDigests([alice, bob])
            #expect(try await bob.answer("info", ship, as: ConversationAnswer.self).unread == 1)
            #expect(try await bob.refusal("cancel", sober.id) == "insufficient_permissions")
            await eventually("Alice hears that Bob has the other") {
                try await alice.run("receipts", sober.id).contains("delivered")
            }
            #expect(try await alice.refusal("cancel", sober.id) == "already_delivered")
            await alice.stop()
            try await carol.start(peers: [bob])
            let shown = try await expectEqualReplicas([bob, carol])
            #expect(shown.map(\.text) == ["", "a sober word"])
            #expect(shown.map(\.readability) == ["deleted", "open"])
            for node in [bob, carol] {
                let verification: VerificationAnswer = try await node.answer("verify")
                #expect(verification.conversations.allSatisfy { $0.gaps.isEmpty })
            }
        }

        @Test
        func `who is away or may not write has the say that is left to them`() async throws {
            let (alice, bob, carol) = try await groupOfThree()
            let early: MessageAnswer = try await carol.answer("send", ship, "early")
            await eventually("Alice has it") { try await alice.texts(in: ship) == ["early"] }
            try await alice.run("set", ship, "announcement", "on")
            await eventually("Carol may not write") {
                try await carol.refusal("send", ship, "me too") == "announcement_only"
            }
            #expect(try await carol.refusal("edit", early.id, "a new word") == "announcement_only")
            try await carol.run("react", early.id, "👍")

            try await alice.run("remove", ship, "Carol")
            await eventually("Carol learns that they were removed") {
                try await carol.refusal("react", early.id, "👎") == "not_a_participant"
            }
            #expect(try await carol.refusal("delete", early.id) == "not_a_participant")
            let secret: MessageAnswer = try await alice.answer("send", ship, "not for Carol")
            await eventually("Bob has it") { try await bob.texts(in: ship) == ["early", "not for Carol"] }

            try await alice.run("add", ship, "Carol")
            await expectRoles(["Alice": "founder", "Bob": "member", "Carol": "member"], at: [alice, bob, carol])
            // Carol can read the edit, but not what it edits.
            try await alice.run("edit", secret.id, "still not for Carol")
            try await alice.run("send", ship, "for all", "--reply", secret.id)
            await eventually("Carol has what is for them") { try await carol.texts(in: ship) == ["early", "for all"] }
            await expectEqualDigests([alice, bob, carol])
            #expect(try await carol.messages(in: ship).last?.quote == nil)
            #expect(try await carol.refusal("react", secret.id, "👍") == "message_not_found")
            #expect(try await bob.texts(in: ship) == ["early", "still not for Carol", "for all"])
            #expect(try await bob.messages(in: ship).first { $0.id == early.id }?.reactions.map(\.names) == [["Carol"]])
        }

        @Test
        func `what was said about a message lies on no disk in the clear, and survives a restart`() async throws {
            let options = TestNode.loopback + ["--search-index", "off"]
            let alice = try TestNode("Alice", options: options)
            let bob = try TestNode("Bob", options: options)
            try await alice.start()
            try await bob.start(peers: [alice])
            await expectFullMesh([alice, bob])
            let direct: ConversationAnswer = try await alice.answer("direct", "Bob")
            let sent: MessageAnswer = try await alice.answer("send", direct.id, "a plain word")
            await eventually("Bob has it") { try await bob.texts(in: direct.id).count == 1 }
            try await bob.run("react", sent.id, "🦑")
            try await bob.run("pin", sent.id)
            try await alice.run("edit", sent.id, "a word in secret")
            await eventually("both show all of it") {
                for node in [alice, bob] {
                    let shown = try await node.messages(in: direct.id).last
                    guard shown?.text == "a word in secret", shown?.reactions.count == 1, shown?.pinned == true else {
                        return false
                    }
                }
                return true
            }
            await alice.stop()
            await bob.stop()
            for node in [alice, bob] {
                for (path, contents) in try node.files() {
                    for secret in ["🦑", "word in secret"] {
                        #expect(contents.range(of: Data(secret.utf8)) == nil, "\(secret) stands in \(path)")
                    }
                }
            }
            try await bob.start()
            let shown = try #require(try await bob.messages(in: direct.id).last)
            #expect(shown.text == "a word in secret" && shown.reactions.map(\.emoji) == ["🦑"] && shown.pinned)
        }
    }
}
