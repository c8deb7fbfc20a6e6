import Testing
import Waiting

extension Stories {
    @Suite("What is typed")
    struct CommandLines {
        @Test
        func `a text that begins with a dash is sent as it is, and what nothing takes is refused`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            try await start(together: [alice, bob])
            try await alice.run("direct", "Bob")
            let texts = ["- shopping", "-1 degrees", "-h", "--- a/file", "--json is a format", "-starts with dash"]
            for text in texts { try await alice.run("send", "Bob", text) }
            try await alice.run("send", "Bob", "--text", "-")
            try await alice.run("send", "Bob", "--", "--json")
            await eventually("Bob has them") {
                try await bob.texts(in: "Alice") == texts + ["-", "--json"]
            }
            let first = try #require(try await alice.messages(in: "Bob").first { $0.text == texts[0] })
            try await alice.run("edit", first.id, "-h")
            try await alice.run("send", "Bob", "- aye", "--reply", first.id)
            try await alice.run("draft", "Bob", "-hello")
            #expect(try await alice.run("draft", "Bob") == "-hello\n")
            await eventually("Bob has the change and the answer") {
                let texts = try await bob.texts(in: "Alice")
                return texts.first == "-h" && texts.last == "- aye"
            }

            for arguments in [["info", "-hello"], ["send", "Bob", "text", "-x"], ["list", "-qh"], ["-hello"]] {
                let outcome = try await alice.outcome(arguments)
                #expect(outcome.status == 64 && outcome.output.isEmpty, "\(arguments): \(outcome.output)")
            }
        }

        @Test
        func `a command that there is not, or a name without a conversation, gets a suggestion`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            try await start(together: [alice, bob])
            for (arguments, meant) in [
                (["staus"], "'moot status'"), (["--json", "list"], ": moot list --json"),
                (["token", "creat", "Bob"], "'moot token create'"),
            ] {
                let outcome = try await alice.outcome(arguments)
                #expect(outcome.status == 64 && outcome.errors.contains(meant), "\(arguments): \(outcome.errors)")
            }
            for arguments in [["send", "Bob", "Ahoy"], ["send", "Bob", "--lines"], ["chat", "Bob"]] {
                let outcome = try await alice.outcome(arguments)
                #expect(outcome.status == 1 && outcome.errors.contains("moot direct Bob"), "\(outcome.errors)")
            }
            #expect(try await alice.refusal("send", "Nowhere", "--lines") == "conversation_not_found")
        }
    }
}
