import Foundation
import Testing

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
        func `Bob's own program hears of what Alice does and writes, and of nothing while he wants silence`()
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
            await eventually("Bob is told that he is in") { try self.told() == [added] }

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
        func `what waited for Bob's return is a handful of notifications, however much it is`() async throws {
            let alice = try TestNode("Alice")
            let bob = try bob()
            try await alice.start()
            try await bob.start(peers: [alice])
            await expectFullMesh([alice, bob])
            let direct: ConversationAnswer = try await alice.answer("direct", "Bob")
            await eventually("Bob has it") { try await bob.answer("list", as: [ConversationAnswer].self).count == 1 }
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
