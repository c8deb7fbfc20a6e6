import Foundation
import Testing
import Waiting

extension Stories {
    @Suite("Notifications")
    struct Notifications {
        private struct Told: Decodable, Equatable {
            let title: String
            let body: String
            let count: Int
        }

        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
        }

        /// Bob, whose node runs a program for every notification.
        private func bob() throws -> TestNode {
            let path = scratch.file("notify")
            let script = "#!/bin/sh\ncat >> \(scratch.file("told"))\necho >> \(scratch.file("told"))\n"
            try #require(
                FileManager.default.createFile(
                    atPath: path, contents: Data(script.utf8), attributes: [.posixPermissions: 0o700]))
            return try TestNode("Bob", options: TestNode.loopback + ["--notify-command", path])
        }

        /// What Bob was told so far.
        private func told() throws -> [Told] {
            let content = FileManager.default.contents(atPath: scratch.file("told")) ?? Data()
            return try content.split(separator: UInt8(ascii: "\n")).map {
                try JSONDecoder().decode(Told.self, from: $0)
            }
        }

        @Test
        func `Bob's own program hears of what Alice does and writes, and of nothing while they want silence`()
            async throws
        {
            let alice = try TestNode("Alice")
            let bob = try bob()
            let carol = try TestNode("Carol")
            try await alice.start()
            try await bob.start(peers: [alice])
            try await carol.start(peers: [alice])
            await expectFullMesh([alice, bob, carol])
            try await makeGroup(alice, [bob, carol])
            let added = Told(title: "Alice in Ship", body: "You were added to this group", count: 0)
            await eventually("Bob is told that they are in") { try self.told() == [added] }

            try await bob.run("mute", ship, "1h")
            try await alice.run("send", ship, "Nobody hears this")
            await eventually("it came") { try await bob.texts(in: ship).count == 1 }
            try await bob.run("mute", ship, "--off")
            let hostile = "$(touch \(scratch.file("pwned"))) <b>\u{202E}"
            try await alice.run("send", ship, hostile)
            let message = Told(title: "Alice in Ship", body: "$(touch \(scratch.file("pwned"))) <b>", count: 1)
            await eventually("Bob is told of the message") { try self.told() == [added, message] }
            #expect(!FileManager.default.fileExists(atPath: scratch.file("pwned")))
            await bob.stop()
            await alice.stop()
            await carol.stop()
        }

        @Test
        func `who wants to be asked is in no group before they accept, and nobody learns that they were asked`()
            async throws
        {
            let alice = try TestNode("Alice")
            let bob = try bob()
            let carol = try TestNode("Carol")
            let everybody = [alice, bob, carol]
            try await start(together: everybody)
            try await alice.run("create", "Raft", "Bob", "Carol")
            await eventually("Bob is on the raft") { try await Self.titles(at: bob) == ["Raft"] }
            try await bob.run("profile", "set", "--ask-when-added", "on")
            #expect(try await Self.titles(at: bob) == ["Raft"], "what they are in stays theirs")

            try await alice.run("create", ship, "Bob", "Carol")
            await eventually("Bob is asked") { try await Self.titles("--requests", at: bob) == [ship] }
            #expect(try await bob.run("list", "--requests").contains("added by Alice"))
            #expect(try await bob.outcome(["list"]).errors.contains("1 request to be in a group"))
            await expectRoles(["Alice": "founder", "Bob": "member", "Carol": "member"], at: [alice, carol])
            let hello: MessageAnswer = try await alice.answer("send", ship, "Hello Bob")
            await eventually("it is there, should they accept") { try await bob.texts(in: ship) == ["Hello Bob"] }
            for act in [
                ["send", ship, "hi"], ["react", hello.id, "👍"], ["mark-read", ship], ["typing", ship],
                ["rename", ship, "Boat"],
            ] {
                let outcome = try await bob.outcome(act + ["--json"])
                #expect(outcome.status == 1 && outcome.errors.contains("not_accepted"), "\(act)")
            }
            let asked = Told(title: "Alice in Ship", body: "You were added to this group. Do you accept?", count: 0)
            #expect(try told().dropFirst() == [asked])
            #expect(try await Self.titles(at: bob) == ["Raft"])

            // They are asked also after a restart; what they accepted is theirs, and what follows comes as ever.
            await bob.stop()
            try await bob.start(peers: [alice])
            #expect(try await Self.titles("--requests", at: bob) == [ship])
            try await bob.run("accept", ship)
            #expect(try await Self.titles("--requests", at: bob).isEmpty)
            #expect(try await bob.refusal("accept", ship) == "already_in_group")
            try await bob.run("send", ship, "Hello Alice")
            await eventually("Alice has it") { try await alice.texts(in: ship) == ["Hello Bob", "Hello Alice"] }

            // Who was taken out and is added again is asked again, and may decline.
            try await alice.run("remove", ship, "Bob")
            await eventually("Bob is out") { try await bob.refusal("send", ship, "?") == "not_a_participant" }
            try await alice.run("add", ship, "Bob")
            await eventually("Bob is asked again") { try await Self.titles("--requests", at: bob) == [ship] }
            try await bob.run("decline", ship)
            await expectRoles(["Alice": "founder", "Carol": "member"], at: [alice, carol])
            #expect(try await Self.titles("--requests", at: bob).isEmpty)
            #expect(try await Self.titles(at: bob) == ["Raft"])
        }

        @Test
        func `an open chat is silent, and its conversation notifies again once the chat has died`() async throws {
            let alice = try TestNode("Alice")
            let bob = try bob()
            try await alice.start()
            try await bob.start(peers: [alice])
            await expectFullMesh([alice, bob])
            let conversation = try await alice.answer("direct", "Bob", as: ConversationAnswer.self).id
            try await alice.run("send", conversation, "Before")
            await eventually("Bob is told") { try self.told().map(\.body) == ["Before"] }

            let screen = try await Screen.chat(of: bob, in: conversation)
            await screen.expect("Alice: Before")
            try await alice.run("send", conversation, "While it is open")
            await screen.expect("Alice: While it is open")
            // Nothing is said at the end: what counts is the connection.
            let found = try await Host.thisMachine.run(["pgrep", "-f", "^\(TestNode.moot) chat \(conversation)"])
            kill(try #require(pid_t(found.output.split(separator: "\n").first ?? "")), SIGKILL)
            await screen.expect("status 137")
            await eventually("Bob is told again") {
                try await alice.run("send", conversation, "After")
                return try self.told().last?.body == "After"
            }
            #expect(try !told().contains { $0.body == "While it is open" })
        }

        private static func titles(_ options: String..., at node: TestNode) async throws -> [String] {
            let outcome = try await node.outcome(["list", "--json"] + options)
            return try JSONDecoder().decode([Titled].self, from: Data(outcome.output.utf8)).map(\.title)
        }

        private struct Titled: Decodable {
            let title: String
        }

        @Test
        func `what waited for Bob's return is a handful of notifications, however much it is`() async throws {
            let alice = try TestNode("Alice")
            let bob = try bob()
            try await alice.start()
            try await bob.start(peers: [alice])
            await expectFullMesh([alice, bob])
            let direct: ConversationAnswer = try await alice.answer("direct", "Bob")
            await bob.stop()

            let lines = (1...5_000).map { "line \($0)" }
            try await alice.run("send", direct.id, "-", "--lines", input: lines.joined(separator: "\n"))
            try await bob.start(peers: [alice])
            let last = Told(title: "5000 new messages from Alice", body: "line 5000", count: 5_000)
            await eventually("Bob is told of all") { try self.told().last == last }
            #expect(try told().count < 10)
            await bob.stop()
            await alice.stop()
        }

        @Test
        func `a desktop or a program that is not there is refused in words`() async throws {
            let node = try TestNode("Alice")
            for (option, value) in [("--notify", "desktop"), ("--notify-command", "no-such-program")] {
                let outcome = await (try await node.launch(TestNode.loopback + [option, value])).ended()
                #expect(outcome.status == 78, "\(option)")
                #expect(outcome.errors.contains("bad_configuration"), "\(outcome.errors)")
            }
        }
    }
}
