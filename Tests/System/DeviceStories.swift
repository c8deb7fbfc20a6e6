import Foundation
import Testing
import Waiting

extension Stories {
    @Suite("Several devices")
    struct Devices {
        private let scratch: Scratch

        init() throws { scratch = try Scratch() }

        /// Runs `moot link` for a home, until it shows its code.
        private func wait(for home: String) async throws -> (program: Program, code: String) {
            let program = try Program(
                [TestNode.moot, "link", "--home", home, "--listen", "127.0.0.1:0", "--yes"],
                output: scratch.file("link.out"), errors: scratch.file("link.err"))
            let code = {
                program.errors.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("moot:link:") }.map(
                    String.init)
            }
            await eventually("the code is shown") { code() != nil }
            return (program, try #require(code()))
        }

        @Test
        func `a second host of Alice finds everything there, answers as Alice, and knows what was read`() async throws {
            let (alice, bob, conversation) = try await couple()
            try await bob.run("send", conversation, "before it came")
            await eventually("Alice has it") { try await alice.texts(in: conversation) == ["before it came"] }

            let home = scratch.file("laptop")
            let (link, code) = try await wait(for: home)
            let said = try await alice.run("devices", "add", code, "--name", "laptop", "--yes")
            #expect(said.isEmpty)
            #expect(await link.ended().status == 0)

            let laptop = try TestNode("Alice", home: home)
            try await laptop.start(peers: [alice])
            await eventually("everything is there") {
                try await laptop.texts(in: conversation) == ["before it came"]
            }
            try await laptop.run("send", conversation, "from the laptop")
            for node in [alice, bob] {
                await eventually("\(node.name) has the answer") {
                    try await node.texts(in: conversation) == ["before it came", "from the laptop"]
                }
            }
            #expect(try await bob.messages(in: conversation).last?.sender == (try await alice.status().user))
            #expect(try await laptop.run("devices").contains("this one"))
            #expect(try await laptop.refusal("profile", "set", "--name", "Alicia") == "invalid_operation")
            // Nobody is asked anything first.
            #expect(try await laptop.refusal("devices", "retire", "laptop") == "invalid_operation")

            try await bob.run("send", conversation, "read me")
            await eventually("both have it") {
                let texts = [try await alice.texts(in: conversation), try await laptop.texts(in: conversation)]
                return texts.allSatisfy { $0.last == "read me" }
            }
            try await laptop.run("mark-read", conversation)
            await eventually("it is read on the other") {
                try await alice.run("read", conversation, "--unread").isEmpty
            }
        }

        /// Another host becomes a device of Alice's, with a node that knows where theirs is.
        private func linkedLaptop(of alice: TestNode, _ more: String...) async throws -> TestNode {
            let home = scratch.file("laptop")
            let (link, code) = try await wait(for: home)
            let added = try await alice.outcome(["devices", "add", code, "--name", "laptop", "--yes"] + more)
            try #require(added.status == 0, "\(added.errors)")
            #expect(await link.ended().status == 0)
            return try TestNode("Alice", home: home)
        }

        /// Alice, Bob and a laptop of Alice's, which has what Bob wrote and has written this itself; all three have it.
        private func coupleWithLaptop(
            writing text: String
        ) async throws -> (alice: TestNode, bob: TestNode, laptop: TestNode, conversation: String) {
            let (alice, bob, conversation) = try await couple()
            try await bob.run("send", conversation, "before it came")
            await eventually("Alice has it") { try await alice.texts(in: conversation) == ["before it came"] }
            let laptop = try await linkedLaptop(of: alice)
            try await laptop.start(peers: [alice, bob])
            await eventually("the laptop has it") { try await laptop.texts(in: conversation) == ["before it came"] }
            try await laptop.run("send", conversation, text)
            for node in [alice, bob] {
                await eventually("\(node.name) has it") { try await node.texts(in: conversation).contains(text) }
            }
            return (alice, bob, laptop, conversation)
        }

        private struct Kept: Decodable {
            let pinned: Bool
            let mutedUntil: String?
            let draft: String?
        }

        private struct Listed: Decodable {
            let id: String
        }

        private struct Person: Decodable {
            let name: String
            let verified: Bool
            let blocked: Bool
        }

        @Test
        func `what Alice keeps for themselves is the same on both devices, and what they read clears on both`()
            async throws
        {
            let (alice, bob, conversation) = try await couple()
            let home = scratch.file("laptop")
            let laptop = try await linkedLaptop(of: alice)
            try await laptop.start(peers: [alice])
            try await bob.run("send", conversation, "one")
            await eventually("both have it") {
                let texts = [try await alice.texts(in: conversation), try await laptop.texts(in: conversation)]
                return texts == [["one"], ["one"]]
            }

            try await alice.run("private", conversation, "--pin", "--draft", "Dear Bob")
            try await laptop.run("mute", conversation, "8h")
            try await alice.run("people", "verify", "Bob", "--matches")
            for node in [alice, laptop] {
                await eventually("it is kept on both") {
                    let kept: Kept = try await node.answer("private", conversation)
                    let people: [Person] = try await node.answer("people", "list")
                    return kept.pinned && kept.mutedUntil != nil && kept.draft == "Dear Bob"
                        && people.contains { $0.name == "Bob" && $0.verified }
                }
            }
            try await laptop.run("people", "block", "Bob")
            await eventually("Bob is blocked on both") {
                try await alice.answer("people", "list", as: [Person].self).contains { $0.name == "Bob" && $0.blocked }
            }
            try await alice.run("people", "unblock", "Bob")
            await eventually("and not any more") {
                try await laptop.answer("people", "list", as: [Person].self).contains {
                    $0.name == "Bob" && !$0.blocked
                }
            }
            try await alice.run("mute", conversation, "--off")
            await eventually("it is heard again") {
                try await laptop.answer("private", conversation, as: Kept.self).mutedUntil == nil
            }

            let watching = try Program(
                [TestNode.moot, "watch", "--json"], environment: ["MOOT_HOME": home],
                output: scratch.file("watch.out"), errors: scratch.file("watch.err"))
            let told = { (kind: String) in
                let told = FileManager.default.contents(atPath: scratch.file("watch.out")) ?? Data()
                return String(decoding: told, as: UTF8.self).contains("\"\(kind)\"")
            }
            await eventually("the laptop is watched") {
                try await laptop.run("private", conversation, "--draft", "\(ContinuousClock.now)")
                return told("conversation")
            }
            try await bob.run("send", conversation, "two")
            await eventually("the laptop notifies of it") { told("notification") }
            await eventually("the desk has it") { try await alice.texts(in: conversation).last == "two" }
            #expect(!told("notification_cleared"))
            try await alice.run("mark-read", conversation)
            await eventually("it is cleared on the laptop") { told("notification_cleared") }

            watching.signal(SIGTERM)
            _ = await watching.ended()

            try await laptop.run("direct", "me")
            try await laptop.run("send", "me", "Remember the milk")
            await eventually("the note is on the desk") {
                (try? await alice.texts(in: "me")) == ["Remember the milk"]
            }
        }

        @Test
        func `a retired device says so and writes no more, and what it wrote stays`() async throws {
            let (alice, bob, laptop, conversation) = try await coupleWithLaptop(writing: "from the laptop")
            try await alice.run("devices", "rename", "laptop", "old laptop")
            try await alice.run("devices", "retire", "old laptop", "--yes")
            await eventually("the laptop knows") { try await laptop.run("status").contains("taken out") }
            #expect(try await laptop.refusal("send", conversation, "no") == "device_taken_out")
            #expect(try await laptop.texts(in: conversation).contains("from the laptop"))
            try await bob.run("send", conversation, "without it")
            await eventually("Alice has it") { try await alice.texts(in: conversation).last == "without it" }
            #expect(try await alice.texts(in: conversation).contains("from the laptop"))
            #expect(try await !laptop.texts(in: conversation).contains("without it"))
            #expect(try await alice.run("devices").contains("retired"))
            #expect(try await bob.run("people", "Alice").contains("retired"))
        }

        @Test
        func `a stolen device that writes on in a partition is cut off for everybody`() async throws {
            let (alice, bob, laptop, conversation) = try await coupleWithLaptop(writing: "by Alice")
            await alice.stop()
            try await laptop.run("send", conversation, "by the thief")
            await eventually("Bob has it") { try await bob.texts(in: conversation).contains("by the thief") }
            await laptop.stop()
            await bob.stop()

            try await alice.start()
            try await alice.run("devices", "revoke", "laptop", "--yes")
            try await bob.start(peers: [alice])
            await eventually("Bob hears of it") {
                try await !bob.texts(in: conversation).contains("by the thief")
            }
            #expect(try await bob.texts(in: conversation).contains("by Alice"))
            try await laptop.start(peers: [bob])
            await eventually("the thief's node is told") { try await laptop.run("status").contains("taken out") }
            try await bob.run("send", conversation, "not for it")
            await eventually("Alice has it") { try await alice.texts(in: conversation).last == "not for it" }
            #expect(try await !alice.texts(in: conversation).contains("by the thief"))
            #expect(try await !laptop.texts(in: conversation).contains("not for it"))
        }

        @Test
        func `a device that was handed the root goes on as Alice where the first is lost`() async throws {
            let secret = scratch.file("passphrase")
            try "correct horse\n".write(toFile: secret, atomically: true, encoding: .utf8)
            let alice = try TestNode("Alice", options: TestNode.loopback + ["--passphrase-file", secret])
            let bob = try TestNode("Bob")
            try await alice.start()
            try await bob.start(peers: [alice])
            let home = scratch.file("laptop")
            let (link, code) = try await wait(for: home)
            // Whoever only finds the node running makes no device of it.
            #expect(try await alice.refusal("devices", "add", code, "--yes") == "passphrase_needed")
            try await alice.run("devices", "add", code, "--with-root", "--yes", "--passphrase-file", secret)
            let linked = await link.ended()
            #expect(linked.status == 0 && linked.errors.contains("moot recovery"), "\(linked.errors)")
            let paper = try await alice.run("recovery", "--anyway", "--passphrase-file", secret)
            await alice.kill()

            let laptop = try TestNode("Alice", home: home)
            try await laptop.start(peers: [bob])
            #expect(try await laptop.run("recovery", "--anyway") == paper)
            try await laptop.run("profile", "set", "--name", "Alicia")
            await eventually("Bob sees it") { try await bob.people().contains("Alicia") }
        }

        @Test
        func `the devices of a home behind a passphrase change only with it, though the node runs`() async throws {
            let secret = scratch.file("passphrase")
            let wrong = scratch.file("wrong")
            try "correct horse\n".write(toFile: secret, atomically: true, encoding: .utf8)
            try "battery staple\n".write(toFile: wrong, atomically: true, encoding: .utf8)
            let alice = try TestNode("Alice", options: TestNode.loopback + ["--passphrase-file", secret])
            try await alice.start()
            let laptop = try await linkedLaptop(of: alice, "--passphrase-file", secret)
            try await laptop.start(peers: [alice])
            let id = try #require(try await laptop.answer("devices", as: [Listed].self).first).id
            for change in [
                ["devices", "rename", "laptop", "mine"], ["devices", "retire", "laptop", "--yes"],
                ["devices", "revoke", "laptop", "--yes", "--force"],
            ] {
                #expect(try await alice.refusal(change) == "passphrase_needed")
                #expect(try await alice.refusal(change + ["--passphrase-file", wrong]) == "wrong_passphrase")
            }
            let before = try await alice.run("devices")
            #expect(before.contains("laptop") && !before.contains("retired") && !before.contains("revoked"))

            try await alice.run("devices", "rename", "laptop", "tablet", "--passphrase-file", secret)
            try await alice.run("devices", "retire", "tablet", "--yes", "--passphrase-file", secret)
            await eventually("the other host knows") { try await laptop.run("status").contains("taken out") }
            #expect(try await alice.run("devices").contains("retired"))
            // Which device it is tells its id: no conversation knows what it was called.
            try await alice.run("devices", "revoke", id, "--yes", "--force", "--passphrase-file", secret)
            #expect(try await alice.run("devices").contains("revoked"))
        }

        @Test
        func `a code leads nowhere twice, and a home that is there is nobody else's`() async throws {
            let alice = try TestNode("Alice")
            try await alice.start()
            let home = scratch.file("laptop")
            let (link, code) = try await wait(for: home)
            try await alice.run("devices", "add", code, "--yes")
            #expect(await link.ended().status == 0)
            let late = try await alice.outcome(["devices", "add", code, "--yes"])
            #expect(late.status == 75 && late.errors.contains("Nobody answers at"))
            #expect(try await alice.refusal("devices", "add", "moot:link:nonsense", "--yes") == "code_invalid")
            let again = try Program(
                [TestNode.moot, "link", "--home", home, "--listen", "127.0.0.1:0", "--yes"],
                output: scratch.file("again.out"), errors: scratch.file("again.err"))
            let outcome = await again.ended()
            #expect(outcome.status != 0)
            #expect(outcome.errors.contains("There is a home in"))
        }
    }
}
