import Foundation
import Testing

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
