import Foundation
import Testing
import Waiting

extension Stories {
    @Suite("What a chat shows, keeps and has read")
    struct OpenChat {
        private struct ReceiptsAnswer: Decodable {
            let phase: String
        }

        private func unread(_ node: TestNode, _ conversation: String) async throws -> Int {
            try await node.answer("info", conversation, as: ConversationAnswer.self).unread
        }

        private func phase(of message: MessageAnswer, at node: TestNode) async throws -> String {
            try await node.answer("receipts", message.id, as: ReceiptsAnswer.self).phase
        }

        @Test
        func `a chat begins where the unread begin, and nothing is read that was not on the screen`() async throws {
            let (alice, bob, conversation) = try await couple()
            try await alice.run("send", conversation, "Before")
            try await bob.run(
                "send", conversation, "--lines", input: (1...40).map { "line \($0)." }.joined(separator: "\n"))
            await eventually("Alice has them") { try await unread(alice, conversation) == 40 }
            let lines = try await bob.messages(in: conversation).filter { $0.text.hasPrefix("line") }
            let (first, last) = (try #require(lines.first), try #require(lines.last))

            let screen = try await Screen.chat(of: alice, in: conversation)
            await screen.expect("── new messages ──")
            await screen.expect("Bob: line 1.")
            await screen.expect("newer messages below")
            await eventually("Bob is told that the first was read") {
                try await phase(of: first, at: bob) == "read"
            }
            let left = try await unread(alice, conversation)
            #expect((25...39).contains(left), "\(left) are unread")
            #expect(try await phase(of: last, at: bob) == "delivered")

            await eventually("the end is reached") {
                try await screen.press("NPage")
                return try await screen.shown().contains { $0.hasSuffix("line 40.") }
            }
            await eventually("Bob is told that the last was read") {
                try await phase(of: last, at: bob) == "read"
            }
            #expect(try await unread(alice, conversation) == 0)
            try await screen.type("Thanks")
            try await screen.press("Enter")
            await screen.expect("Alice: Thanks")
            await screen.expectNo("new messages")
        }

        @Test
        func `a reply answers what it was aimed at when it was begun, whatever comes meanwhile`() async throws {
            let (alice, bob, conversation) = try await couple()
            try await bob.run("send", conversation, "Shall we delete the backups?")
            await eventually("Alice has it") { try await alice.texts(in: conversation).count == 1 }
            let screen = try await Screen.chat(of: alice, in: conversation)
            await screen.expect("Shall we delete the backups?")
            try await screen.type("/reply")
            try await screen.press("Enter")
            await screen.expect("Say what you answer")
            try await screen.type(" yes, do it")
            await screen.expect("↳ replying to Bob: Shall we delete the backups?")
            try await bob.run("send", conversation, "Shall we drop production?")
            await screen.expect("Bob: Shall we drop production?")
            await screen.expect("↳ replying to Bob: Shall we delete the backups?")
            try await screen.press("Enter")
            await screen.expect("╭─ Bob: Shall we delete the backups?")
            await eventually("Bob reads what was meant") {
                try await bob.messages(in: conversation).last?.quote?.text == "Shall we delete the backups?"
            }
        }

        @Test
        func `what was typed and not sent is there the next time, and gone once it is sent`() async throws {
            let (alice, bob, conversation) = try await couple()
            let first = try await Screen.chat(of: alice, in: conversation)
            try await first.type("Half a thought")
            await eventually("it is kept while the chat goes on") {
                try await alice.run("draft", conversation) == "Half a thought\n"
            }
            try await first.type(" more")
            try await first.press("C-c")
            await first.expect("status 0")
            #expect(try await alice.run("draft", conversation) == "Half a thought more\n")

            let second = try await Screen.chat(of: alice, in: conversation)
            await second.expect("> Half a thought more")
            try await second.press("Enter")
            await eventually("Bob has it") { try await bob.texts(in: conversation) == ["Half a thought more"] }
            #expect(try await alice.run("draft", conversation).isEmpty)
            try await second.type("/home/user is a path")
            try await second.press("Enter")
            await second.expect("There is no command /home/user.")
            await second.expect("> /home/user is a path")
            try await second.press("C-c")
            await second.expect("status 0")
            #expect(try await alice.run("draft", conversation) == "/home/user is a path\n")
        }

        @Test
        func `who is removed while they chat reads on, and finds nothing to type into`() async throws {
            let (alice, bob, _) = try await groupOfThree()
            try await alice.run("send", ship, "Ahoy")
            await eventually("Bob has it") { try await bob.texts(in: ship) == ["Ahoy"] }
            let screen = try await Screen.chat(of: bob, in: ship, columns: 70)
            await screen.expect("Alice: Ahoy")
            try await screen.type("/info")
            try await screen.press("Enter")
            await screen.expect("│ Bob (you) (member, ")
            try await alice.run("remove", ship, "Bob")
            await screen.expect("You are not in this group any more: you can read, not write.")
            await screen.expect("You were removed")
            await screen.expect("Alice: Ahoy")
            try await screen.type("But why?")
            try await screen.press("Enter", "C-c")
            await screen.expect("status 0")
            #expect(try await alice.texts(in: ship) == ["Ahoy"])
        }

        @Test
        func `files stand in a chat and in the list as where messages are read`() async throws {
            let (alice, bob, conversation) = try await couple()
            let scratch = try Scratch()
            try Data(repeating: 0x25, count: 81_920).write(to: URL(filePath: scratch.file("tides.pdf")))
            let screen = try await Screen.chat(of: bob, in: conversation)
            try await alice.run("send", conversation, "--file", scratch.file("tides.pdf"))
            await screen.expect("        [tides.pdf, 80.0 KiB, here]")
            #expect(try await bob.run("read", conversation).contains("        [tides.pdf, 80.0 KiB, here]\n"))
            #expect(try await bob.run("list").contains("Alice: [tides.pdf, 80.0 KiB, here]"))
        }
    }
}
