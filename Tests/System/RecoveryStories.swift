import Foundation
import Testing
import Waiting

extension Stories {
    @Suite("A lost root")
    struct Recovery {
        private struct Code: Decodable {
            let user: String
            let code: String
        }

        private let scratch: Scratch

        init() throws { scratch = try Scratch() }

        @Test
        func `Alice loses the laptop with its disk, and is Alice again on a new host with the code on paper`()
            async throws
        {
            let (alice, bob, conversation) = try await couple()
            try await alice.run("send", conversation, "before it was lost")
            await eventually("Bob has it") { try await bob.texts(in: conversation) == ["before it was lost"] }
            // Nobody but a person at a terminal gets the code, unless they say so.
            #expect(try await alice.refusal("recovery") == "invalid_request")
            let paper: Code = try await alice.answer("recovery", "--anyway")
            let user = try await alice.status().user
            #expect(paper.user == user)
            #expect(try await alice.run("recovery", "--anyway").contains(paper.code.prefix(5)))
            #expect(await !alice.log.contains(paper.code.prefix(5)))
            await alice.kill()
            try FileManager.default.removeItem(atPath: alice.home)

            let laptop = try TestNode("Alice", home: scratch.file("new laptop/moot"))
            let misread = paper.code.replacing(paper.code.prefix(1), with: "B", maxReplacements: 1)
            let refused = try await laptop.outcome(["recover", "-"], input: misread + "\n")
            #expect(refused.status == 1 && refused.errors.contains("Group 1 "), "\(refused.errors)")
            #expect(!FileManager.default.fileExists(atPath: laptop.home + "/keys"))
            let typed = paper.code.replacing("-", with: " ").lowercased()
            let recovered = try await laptop.outcome(["recover", "-"], input: typed + "\n")
            #expect(recovered.status == 0 && recovered.errors.contains("moot up"), "\(recovered.errors)")
            #expect(try await laptop.refusal("recover", paper.code) == "home_in_use")

            try await laptop.start()
            #expect(try await laptop.status().user == user)
            #expect(try await laptop.status().storage.contains("no device of yours yet"))
            #expect(try await laptop.refusal("direct", "Bob") != "")
            await laptop.stop()
            try await laptop.start(peers: [bob])
            await eventually("it is a device of Alice's") { try await laptop.status().storage == "writable" }
            await eventually("the conversation is there") {
                try await laptop.messages(in: conversation).isEmpty == false
            }
            try await laptop.run("send", conversation, "I am back")
            await eventually("Bob has it, and did nothing for it") {
                try await bob.texts(in: conversation) == ["before it was lost", "I am back"]
            }
            #expect(try await bob.messages(in: conversation).last?.sender == user)
            try await bob.run("send", conversation, "good to see you")
            await eventually("Alice reads what is written from now on") {
                try await laptop.texts(in: conversation).suffix(2) == ["I am back", "good to see you"]
            }
            #expect(try await laptop.run("devices").contains("this one"))
            #expect(try await laptop.run("recovery", "--anyway").contains(paper.code.prefix(5)))
            await laptop.stop()
            try await laptop.start(peers: [bob])
            try await laptop.run("send", conversation, "also after a start")
        }

        @Test
        func `the code of a home behind a passphrase is shown to whoever knows it, while its node runs`() async throws {
            let secret = scratch.file("passphrase")
            let wrong = scratch.file("wrong")
            for (file, text) in [(secret, "correct horse"), (wrong, "wrong horse")] {
                try "\(text)\n".write(toFile: file, atomically: true, encoding: .utf8)
            }
            let alice = try TestNode("Alice", options: TestNode.loopback + ["--passphrase-file", secret])
            try await alice.start()
            #expect(try await alice.refusal("recovery", "--anyway") == "passphrase_needed")
            #expect(try await alice.refusal("recovery", "--anyway", "--passphrase-file", wrong) == "wrong_passphrase")
            let shown: Code = try await alice.answer("recovery", "--anyway", "--passphrase-file", secret)
            #expect(shown.code.split(separator: "-").count == 14)
        }

        @Test
        func `where nobody will come, Alice says so and goes on`() async throws {
            let alice = try TestNode("Alice")
            try await alice.start()
            let paper: Code = try await alice.answer("recovery", "--anyway")
            await alice.stop()
            let laptop = try TestNode("Alice", home: scratch.file("laptop"))
            try await laptop.run("recover", paper.code, "--now")
            try await laptop.start()
            #expect(try await laptop.status().storage == "writable")
            #expect(try await laptop.status().user == paper.user)
            try await laptop.run("profile", "set", "--name", "Alicia")
        }
    }
}
