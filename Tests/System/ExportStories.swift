import Foundation
import Testing
import Waiting

extension Stories {
    @Suite("Export")
    struct Exports {
        private let scratch: Scratch

        init() throws { scratch = try Scratch() }

        private struct Exported: Decodable {
            struct Member: Decodable {
                let name: String
                let role: String
            }
            struct Message: Decodable {
                struct File: Decodable {
                    let name: String
                    let path: String?
                }
                struct Reaction: Decodable {
                    let emoji: String
                    let names: [String]
                }
                let id: String
                let kind: String
                let text: String
                let editedAt: String?
                let files: [File]?
                let reactions: [Reaction]?
            }
            let format: String
            let version: Int
            let members: [Member]
            let messages: [Message]
        }

        @Test
        func `a conversation is written for browsers, readers and programs, whole, and over nothing`() async throws {
            let (alice, bob, _) = try await groupOfThree()
            let tides = scratch.file("tides.txt")
            try "high water 06:12".write(toFile: tides, atomically: true, encoding: .utf8)
            // More than two pages of the interface.
            let lines = (1...2_500).map { "line \($0)" }.joined(separator: "\n")
            try await alice.run("send", ship, "--lines", input: lines)
            let sent: MessageAnswer = try await alice.answer("send", ship, "<b>Hello</b>")
            try await alice.run("edit", sent.id, "<i>Hello</i>")
            try await alice.run("send", ship, "--file", tides)
            await eventually("Bob has all of it") {
                try await bob.answer("files", ship, as: [FileState].self).map(\.state) == ["here"]
            }
            try await bob.run("react", sent.id, "👍")

            let json = scratch.file("json")
            try await bob.run("export", ship, "--to", json, "--format", "json")
            let exported: Exported = try bob.decode(
                String(contentsOfFile: json + "/conversation.json", encoding: .utf8))
            #expect(exported.format == "moot-export" && exported.version == 1 && exported.members.count == 3)
            let shown = try await bob.messages(in: ship)
            #expect(exported.messages.map(\.id) == shown.map(\.id), "the same messages in the same order")
            #expect(exported.messages.map(\.text) == shown.map(\.text))
            let edited = try #require(exported.messages.first { $0.id == sent.id })
            #expect(edited.text == "<i>Hello</i>" && edited.editedAt != nil)
            #expect(edited.reactions?.map(\.emoji) == ["👍"] && edited.reactions?.first?.names == ["Bob"])
            #expect(exported.messages.contains { $0.kind == "system" })
            let path = try #require(exported.messages.last?.files?.first?.path)
            #expect(try String(contentsOfFile: "\(json)/\(path)", encoding: .utf8) == "high water 06:12")

            let text = scratch.file("text")
            try await bob.run("export", ship, "--to", text, "--format", "text")
            let printed = try await bob.run("read", ship, "--limit", "5000")
            let written = try String(contentsOfFile: text + "/conversation.txt", encoding: .utf8)
            #expect(written.hasSuffix(printed.split(separator: "\n").suffix(100).joined(separator: "\n") + "\n"))

            let html = scratch.file("html")
            try await bob.run("export", ship, "--to", html)
            let page = try String(contentsOfFile: html + "/conversation.html", encoding: .utf8)
            #expect(page.contains("&lt;i&gt;Hello&lt;/i&gt;") && !page.contains("<i>"))
            #expect(try await bob.refusal("export", ship, "--to", html) == "invalid_operation")
            #expect(try await bob.refusal("export", "Boat", "--to", scratch.file("boat")) == "conversation_not_found")
            let left = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
            #expect(Set(left) == ["tides.txt", "json", "text", "html"])
        }

        private struct FileState: Decodable {
            let state: String
        }

        @Test(.enabled("private mounts are not allowed here") { await PrivateNetwork.isPossible() })
        func `where the disk is full, nothing is left of an export`() async throws {
            let (alice, _, conversation) = try await couple()
            let photo = scratch.file("large.bin")
            try Data(repeating: 7, count: 300_000).write(to: URL(filePath: photo))
            try await alice.run("send", conversation, "--file", photo)
            let program = try Program(
                [
                    "unshare", "--mount", "sh", "-c",
                    #"mkdir "$1" && mount -t tmpfs -o size=128k none "$1" && "$2" export "$3" --to "$1/new" --json; ls -A "$1""#,
                    "sh", scratch.file("small"), TestNode.moot, conversation,
                ],
                environment: ["MOOT_HOME": alice.home], output: scratch.file("out"), errors: scratch.file("err"))
            let outcome = await program.ended()
            #expect(outcome.output.isEmpty && outcome.errors.contains("disk_full"), "\(outcome)")
        }
    }
}
