import Foundation
import Testing
import Waiting

extension Stories {
    @Suite("Chat in a terminal")
    struct TerminalChat {
        /// Alice at a terminal, in the conversation.
        private func chat(
            _ alice: TestNode, _ conversation: String, rows: Int = 14, columns: Int = 60,
            environment: [String: String] = [:]
        ) async throws -> Screen {
            try await Screen.chat(
                of: alice, in: conversation, rows: rows, columns: columns, environment: environment,
                following: "echo \"status $?\"; stty -a | grep -c -w -- -icanon")
        }

        @Test
        func `what is typed is sent and what others write appears, and the terminal is given back`() async throws {
            let (alice, bob, conversation) = try await couple()
            try await bob.run("send", conversation, "Before")
            await eventually("Alice has it") { try await alice.texts(in: conversation) == ["Before"] }
            let screen = try await chat(alice, conversation)
            await screen.expect("Bob: Before")

            try await screen.type("Grüße, 世 x界")
            try await screen.press("Left", "BSpace", "BSpace", "C-e")
            try await screen.type("!")
            await screen.expect("> Grüße, 世界!")
            try await screen.press("Enter")
            await screen.expect("Alice: Grüße, 世界!")
            try await screen.paste("two\nlines")
            await screen.expect("> two⏎lines")
            try await screen.press("Enter")
            await screen.expect("Alice: two")
            await eventually("Bob has both") {
                try await bob.texts(in: conversation) == ["Before", "Grüße, 世界!", "two\nlines"]
            }

            try await bob.run("send", conversation, "Live, with \u{1B}[31mcolor")
            await screen.expect("Bob: Live, with [31mcolor")
            try await screen.type("/reply Aye")
            try await screen.press("Enter")
            await screen.expect("╭─ Bob: Live, with [31mcolor")
            await screen.expect("Alice: Aye")
            let group: ConversationAnswer = try await alice.answer("info", conversation)
            #expect(group.unread == 0)

            try await screen.press("C-c")
            await screen.expect("status 0")
            // As before: lines are read by the line again, and nothing of the chat is left.
            await screen.expectNo("Alice: Aye")
            await eventually("the terminal reads by the line") { try await screen.shown().contains("0") }
        }

        @Test
        func `the address in a notification opens the conversation at its message`() async throws {
            let (alice, bob, conversation) = try await couple()
            try await alice.run(
                "send", conversation, "--lines", input: (1...200).map { "line \($0)." }.joined(separator: "\n"))
            await eventually("nothing is pending") {
                try await alice.answer("info", conversation, as: ConversationAnswer.self).sync == "synced"
            }
            withExtendedLifetime(bob) {}
            let sent = try await alice.messages(in: conversation)
            let link = "moot://conversation/\(conversation)/\(sent[49].id)"

            let printed = try await alice.run("open", link).split(separator: "\n").dropFirst()
            #expect(printed.count == 21)
            #expect(printed.first?.hasSuffix("line 40.") == true && printed.last?.hasSuffix("line 60.") == true)
            #expect(try await alice.run("open", "moot://conversation/\(conversation)").hasSuffix("line 200.\n"))
            let screen = try await Screen(rows: 14, columns: 60, environment: ["MOOT_HOME": alice.home])
            try await screen.type("\(TestNode.moot) open \(link)")
            try await screen.press("Enter")
            await screen.expect("line 50.")
            await screen.expect("Newer messages below")
            #expect(try await screen.shown().first?.hasPrefix(" Bob") == true)
            try await screen.press("C-c")

            #expect(try await alice.refusal("open", "\(link)/../\(sent[0].id)") == "invalid_request")
            #expect(try await alice.refusal("open", "moot://conversation/Bob") == "invalid_request")
            #expect(try await alice.refusal("open", "https://example.org/\u{1B}[31m") == "invalid_request")
            let nowhere = String(repeating: "0", count: 64)
            #expect(try await alice.refusal("open", "moot://conversation/\(nowhere)") == "conversation_not_found")
            #expect(
                try await alice.refusal("open", "moot://conversation/\(conversation)/\(nowhere)")
                    == "message_not_found")
        }

        @Test
        func `earlier messages come with Page Up, and the window may change its size`() async throws {
            let (alice, bob, conversation) = try await couple()
            try await alice.run(
                "send", conversation, "--lines", input: (1...200).map { "line \($0)." }.joined(separator: "\n"))
            let screen = try await chat(alice, conversation)
            await screen.expect("line 200.")
            await eventually("the first line is reached") {
                try await screen.press("PPage")
                return try await screen.shown().contains { $0.hasSuffix("line 1.") }
            }
            try await bob.run("send", conversation, "ClientEvent")
            await screen.expect("newer messages below")
            #expect(try await screen.shown().contains { $0.hasSuffix("line 1.") })

            try await screen.resize(rows: 8, columns: 30)
            await eventually("everything fits") {
                let lines = try await screen.shown()
                return lines.count == 8 && lines[0].hasPrefix(" Bob  2 members") && lines[7].hasPrefix(">")
            }
            await eventually("the end is reached") {
                try await screen.press("NPage")
                return try await screen.shown().contains { $0.hasSuffix("Bob: ClientEvent") }
            }
            try await screen.type("/quit")
            try await screen.press("Enter")
            await screen.expect("status 0")
        }

        @Test
        func `a node that crashes is told, and the chat goes on when it is back`() async throws {
            let (alice, bob, conversation) = try await couple()
            let screen = try await chat(alice, conversation)
            await alice.kill()
            await screen.expect("Trying again")
            try await screen.type("Into the void")
            try await screen.press("Enter")
            // Not sent, so not lost: it can be sent again.
            await screen.expect("> Into the void")
            try await alice.start(peers: [bob])
            await screen.expectNo("Trying again")
            try await screen.press("Enter")
            await screen.expect("Alice: Into the void")
            await eventually("Bob has it once") { try await bob.texts(in: conversation) == ["Into the void"] }
            // All at once: what was said before leaving is said.
            try await screen.press("B", "y", "e", "Enter", "C-d")
            await screen.expect("status 0")
            #expect(try await alice.texts(in: conversation) == ["Into the void", "Bye"])
        }

        @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
        func `a signal ends the chat and leaves the terminal as it was`(signal: Int32) async throws {
            let (alice, _, conversation) = try await couple()
            let screen = try await chat(alice, conversation, environment: ["NO_COLOR": "1"])
            #expect(try await !screen.shownWithStyles().contains("\u{1B}["))
            let found = try await Host.thisMachine.run(["pgrep", "-f", "^\(TestNode.moot) chat \(conversation)"])
            let chat = try #require(pid_t(found.output.split(separator: "\n").first ?? ""))
            kill(chat, signal)
            await screen.expect("status \(128 + signal)")
            await eventually("lines are read by the line") { try await screen.shown().contains("0") }
        }

        @Test
        func `without a terminal it says what else there is`() async throws {
            let (alice, _, conversation) = try await couple()
            let outcome = try await alice.outcome(["chat", conversation])
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("moot watch"))
        }
    }
}
