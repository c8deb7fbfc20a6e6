import Foundation
import Testing
import Waiting

extension Stories {
    @Suite("Files")
    struct Files {
        private struct FileListAnswer: Decodable {
            let files: [FileAnswer]
        }

        private struct FileAnswer: Decodable {
            let id: String
            let name: String
            let size: Int
            let kind: String
            let state: String
            let received: Int
            let error: String?
            let message: String?
        }

        private struct FilesMessage: Decodable {
            let id: String
            let kind: String
            let files: [FileAnswer]
        }

        private struct SavedAnswer: Decodable {
            let path: String
        }

        private let scratch: Scratch

        init() throws { scratch = try Scratch() }

        /// A file of bytes that cannot be guessed.
        private func file(_ name: String, bytes: Int) throws -> String {
            var random = SystemRandomNumberGenerator()
            var data = Data(capacity: bytes + 8)
            while data.count < bytes { withUnsafeBytes(of: random.next()) { data.append(contentsOf: $0) } }
            let path = scratch.file(name)
            try data.prefix(bytes).write(to: URL(filePath: path))
            return path
        }

        private func files(of node: TestNode) async throws -> [FileAnswer] { try await node.answer("files", ship) }

        /// How much a node has of the first file. A process for each look would be slower than loopback.
        private func bytes(at node: TestNode) async throws -> Int {
            let list: FileListAnswer = try await LocalConnection(home: node.home).look(
                at: "/conversations/\(ship)/files")
            return list.files.first?.received ?? 0
        }

        /// Saves all files of the group, and whether the last one is the same as one here.
        private func saves(_ node: TestNode, _ original: String) async throws -> Bool {
            let folder = scratch.file("saved by \(node.name) \(UInt32.random(in: 0 ... .max))")
            let saved: [SavedAnswer] = try await node.answer("files", ship, "--save", folder)
            let path = try #require(saved.last?.path)
            return FileManager.default.contentsEqual(atPath: path, andPath: original)
        }

        @Test
        func `a file arrives at everybody, is saved by its name, and goes when it is deleted`() async throws {
            let (alice, bob, carol) = try await groupOfThree()
            let original = try file("sails.webp", bytes: 3_000_000)
            let sent: FilesMessage = try await alice.answer("send", ship, "New sails", "--file", original)
            #expect(sent.kind == "file" && sent.files.first?.kind == "photo")
            for node in [bob, carol] {
                await eventually("\(node.name) has it") {
                    try await files(of: node).map(\.state) == ["here"]
                }
                #expect(try await saves(node, original))
            }
            #expect(try await bob.answer("files", ship, "--kind", "video", as: [FileAnswer].self).isEmpty)
            // In the clear it is nowhere.
            let bytes = try Data(contentsOf: URL(filePath: original))
            for (path, contents) in try bob.files() {
                #expect(contents.range(of: bytes.prefix(64)) == nil, "\(path)")
            }
            #expect(try await bob.refusal("send", ship, "--file", scratch.file("none")) == "invalid_request")
            try await alice.run("delete", sent.id)
            for node in [alice, bob, carol] {
                await eventually("\(node.name) shows it no more") { try await files(of: node).isEmpty }
            }
        }

        @Test
        func `one file of several is deleted for everybody, and the last one with its message`() async throws {
            let (alice, bob, carol) = try await groupOfThree()
            let names = ["sails.txt", "tides.txt", "ropes.txt"]
            let paths = try names.map { try file($0, bytes: 2_000) }
            let sent: FilesMessage = try await alice.answer(
                "send", ship, "--file", paths[0], "--file", paths[1], "--file", paths[2])
            await eventually("all have all") {
                for node in [bob, carol] {
                    guard try await files(of: node).map(\.state) == ["here", "here", "here"] else { return false }
                }
                return true
            }
            #expect(try await bob.refusal("delete", sent.id, "--file", "1") == "insufficient_permissions")
            #expect(try await alice.refusal("delete", sent.id, "--file", "4") == "file_not_found")
            try await alice.run("delete", sent.id, "--file", "2")
            for node in [alice, bob, carol] {
                await eventually("\(node.name) shows two") {
                    try await files(of: node).map(\.name) == ["sails.txt", "ropes.txt"]
                }
            }
            // They were the whole text, so the text says what is left.
            let texts = try await carol.messages(in: ship).filter { $0.kind == "file" }.map(\.text)
            #expect(texts == ["sails.txt, ropes.txt"])
            for _ in 1...2 { try await alice.run("delete", sent.id, "--file", "1") }
            for node in [alice, bob, carol] {
                await eventually("\(node.name) shows none") { try await files(of: node).isEmpty }
            }
            #expect(try await expectEqualReplicas([alice, bob, carol]).map(\.deleted) == [true])

            // A moderator cannot change what somebody else wrote. It names what is gone no more all the same, also
            // while its author is away.
            let notes: FilesMessage = try await bob.answer("send", ship, "--file", paths[1], "--file", paths[2])
            for node in [alice, carol] {
                for word in ["tides", "ropes"] {
                    await eventually("\(node.name) finds \(word)") { try await finds(node, word) }
                }
            }
            await bob.stop()
            try await alice.run("delete", notes.id, "--file", "1")
            for node in [alice, carol] {
                await eventually("\(node.name) shows what is left") {
                    try await node.messages(in: ship).filter { $0.kind == "file" && !$0.deleted }.map(\.text)
                        == ["ropes.txt"]
                }
                #expect(try await !finds(node, "tides"))
                #expect(try await finds(node, "ropes"))
            }
        }

        private func finds(_ node: TestNode, _ word: String) async throws -> Bool {
            try await node.run("search", word).contains("\(word).txt")
        }

        @Test
        func `who was not there when a file was sent gets it from others when its sender is gone`() async throws {
            let (alice, bob, carol) = try await groupOfThree()
            await carol.stop()
            let original = try file("log.txt", bytes: 500_000)
            try await alice.run("send", ship, "--file", original)
            await eventually("Bob has it") { try await files(of: bob).map(\.state) == ["here"] }
            await alice.kill()
            try await carol.start(peers: [bob])
            await eventually("Carol has it") { try await files(of: carol).map(\.state) == ["here"] }
            #expect(try await saves(carol, original))
        }

        @Test
        func `those who have a part of a file share it when its sender dies, and end with all of it`() async throws {
            let (alice, bob, carol) = try await groupOfThree()
            let original = try file("film.mp4", bytes: 100 << 20)
            try await alice.run("send", ship, "--file", original)
            await eventually("both have a part", pause: .milliseconds(5)) {
                for node in [bob, carol] where try await bytes(at: node) <= 1 << 20 { return false }
                return true
            }
            await alice.kill()
            let parts = try await [files(of: bob), files(of: carol)].compactMap(\.first)
            try #require(parts.contains { $0.state != "here" }, "the sender was killed too late")
            // What one of them has, the other gets.
            await eventually("both have the same", within: .seconds(60)) {
                let (bobFile, carolFile) = try await (files(of: bob).first, files(of: carol).first)
                return bobFile?.received == carolFile?.received && bobFile?.state == carolFile?.state
                    && bobFile?.state != "fetching"
            }
            let shared = try #require(try await files(of: bob).first)
            #expect(shared.received >= parts.map(\.received).max() ?? .max)
            if shared.state != "here" {
                #expect(shared.error == "no_peer")
                let folder = scratch.file("nothing")
                let outcome = try await bob.outcome(["files", ship, "--save", folder, "--wait", "1s", "--json"])
                #expect(outcome.status == 75 && outcome.errors.contains(#""code":"no_peer""#))
            }
            // One of them is started anew, and then the sender comes back.
            await bob.kill()
            try await bob.start(peers: [carol])
            // More, if both had as much for a moment and not the same chunks.
            await eventually("Bob has kept their part") {
                try await files(of: bob).first.map { $0.received >= shared.received } ?? false
            }
            try await alice.start(peers: [bob, carol])
            for node in [bob, carol] {
                await eventually("\(node.name) has all of it", within: .seconds(60)) {
                    try await files(of: node).map(\.state) == ["here"]
                }
                #expect(try await saves(node, original))
            }
        }

        @Test
        func `a file is canceled in the middle and fetched later`() async throws {
            let (alice, bob, carol) = try await groupOfThree()
            // Carol must not have it first: they would give it to Bob at once.
            await carol.stop()
            let original = try file("film.mp4", bytes: 60 << 20)
            try await alice.run("send", ship, "--file", original)
            await eventually("Bob has a part", pause: .milliseconds(5)) { try await bytes(at: bob) > 0 }
            await alice.freeze()
            let begun = try #require(try await files(of: bob).first)
            try #require(begun.state != "here", "it was too fast")
            try await bob.run("files", ship, begun.id, "--cancel")
            await alice.thaw()
            await bob.kill()
            try await bob.start(peers: [alice])
            await expectFullMesh([alice, bob])
            let canceled = try #require(try await files(of: bob).first)
            #expect(canceled.state == "cancelled" && canceled.received >= begun.received)
            // What can be had is saved all the same.
            let note = try file("note.txt", bytes: 10)
            try await bob.run("send", ship, "--file", note)
            let folder = scratch.file("what is here")
            let outcome = try await bob.outcome(["files", ship, "--save", folder, "--json"])
            #expect(outcome.status == 1 && outcome.errors.contains(#""code":"cancelled""#))
            #expect(outcome.errors.contains("moot files "), "the hint is a command")
            #expect(FileManager.default.contentsEqual(atPath: "\(folder)/note.txt", andPath: note))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["note.txt"])
            try await bob.run("files", ship, begun.id, "--retry")
            #expect(try await saves(bob, original))
        }

        private struct StatusAnswer: Decodable {
            let filesBytes: Int
            let filesQuota: Int
        }

        @Test
        func `files take no more room than they may, and come when there is more`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            let carol = try TestNode("Carol")
            try await alice.start()
            try await bob.start(peers: [alice], environment: ["MOOT_FILES_QUOTA": "2MB"])
            try await carol.start(peers: [alice])
            await expectFullMesh([alice, bob, carol])
            try await makeGroup(alice, [bob, carol])
            let small = try file("small.txt", bytes: 300_000)
            let large = try file("large.txt", bytes: 2_000_000)
            try await alice.run("send", ship, "--file", small)
            await eventually("Bob has it") { try await files(of: bob).map(\.state) == ["here"] }
            try await alice.run("send", ship, "--file", large)
            // Together they are more than Alice may send them unasked.
            await eventually("more is offered") { try await files(of: bob).map(\.state) == ["here", "offered"] }
            let status: StatusAnswer = try await bob.answer("status")
            #expect(status.filesQuota == 2_000_000 && (300_000...2_000_000).contains(status.filesBytes))
            let folder = scratch.file("what is here")
            let outcome = try await bob.outcome(["files", ship, "--save", folder, "--json"])
            #expect(outcome.status == 75 && outcome.errors.contains(#""code":"not_here""#))
            #expect(FileManager.default.contentsEqual(atPath: "\(folder)/small.txt", andPath: small))
            // Who names it asks for it.
            let id = try #require(try await files(of: bob).last?.id)
            let refused = try await bob.outcome(["files", ship, id, "--save", folder, "--json"])
            #expect(refused.status == 75 && refused.errors.contains(#""code":"quota_reached""#), "\(refused.errors)")
            #expect(try await files(of: bob).map(\.state) == ["here", "failed"])
            // A setting of the environment would win over the file's.
            await bob.stop()
            try Data("[files]\nquota = \"5MiB\" # more\n".utf8).write(to: URL(filePath: "\(bob.home)/config.toml"))
            try await bob.start(peers: [alice])
            await eventually("Bob has met Alice") { try await bob.peers().contains("Alice") }
            try await bob.run("files", ship, id, "--save", folder)
            #expect(FileManager.default.contentsEqual(atPath: "\(folder)/large.txt", andPath: large))
            #expect(try await bob.outcome(["up", "--files-quota", "much"]).status == 64)
        }

        private struct LinksAnswer: Decodable {
            struct Link: Decodable {
                let url: String
                let senderName: String
            }

            let links: [Link]
        }

        @Test
        func `the links of a group are listed with who sent them`() async throws {
            let (alice, bob, carol) = try await groupOfThree()
            try await alice.run("send", ship, "The plan: https://example.org/plan_(2), read it!")
            await eventually("Bob has it") { try await bob.texts(in: ship).count == 1 }
            try await bob.run("send", ship, "Better: <http://b.example/\u{202E}x>")
            for node in [alice, bob, carol] {
                await eventually("\(node.name) sees both") {
                    let found: LinksAnswer = try await node.answer("files", ship, "--kind", "link")
                    return found.links.map(\.url) == ["http://b.example/x", "https://example.org/plan_(2)"]
                        && found.links.map(\.senderName) == ["Bob", "Alice"]
                }
            }
        }

        @Test(.enabled("private mounts are not allowed here") { await PrivateNetwork.isPossible() })
        func `a file for which the disk has no room hinders nothing else, and comes when there is room`() async throws {
            let machine = try await PrivateNetwork()
            let disk = try await machine.smallDisk(megabytes: 24)
            let alice = try TestNode("Alice", on: machine.loopback, home: "\(disk)/home")
            let bob = try TestNode("Bob", on: machine.loopback)
            try await bob.start()
            try await alice.start(peers: [bob])
            await expectFullMesh([alice, bob])
            let direct: ConversationAnswer = try await alice.answer("direct", "Bob")
            let (large, small) = (try file("film.mp4", bytes: 40 << 20), try file("log.txt", bytes: 100_000))
            try await bob.run("direct", "Alice")
            try await bob.run("send", "Alice", "--file", large)
            await eventually("it is refused by name") {
                try await alice.answer("files", direct.id, as: [FileAnswer].self).map(\.error) == ["disk_full"]
            }
            try await bob.run("send", "Alice", "--file", small)
            await eventually("what fits comes") {
                try await alice.answer("files", direct.id, as: [FileAnswer].self).map(\.state) == ["failed", "here"]
            }
            try await machine.run("mount", "-o", "remount,size=200m", disk)
            let id = try #require(try await alice.answer("files", direct.id, as: [FileAnswer].self).first?.id)
            try await alice.run("files", direct.id, id, "--retry")
            await eventually("there is room") {
                try await alice.answer("files", direct.id, as: [FileAnswer].self).map(\.state) == ["here", "here"]
            }
            await alice.stop()
        }

        @Test
        func `a chunk that is wrong on the disk reaches no file and nobody, and comes again`() async throws {
            let (alice, bob, carol) = try await groupOfThree()
            let original = try file("log.txt", bytes: 900_000)
            try await alice.run("send", ship, "--file", original)
            for node in [bob, carol] {
                await eventually("\(node.name) has it") { try await files(of: node).map(\.state) == ["here"] }
            }
            let id = try #require(try await files(of: bob).first?.id)
            // It gets its name once it was synced.
            await eventually("it has its name") { FileManager.default.fileExists(atPath: "\(bob.home)/blobs/\(id)") }
            let disk = try #require(FileHandle(forUpdatingAtPath: "\(bob.home)/blobs/\(id)"))
            try disk.seek(toOffset: 300_000)
            try disk.write(contentsOf: Data("not what was sent".utf8))
            try disk.close()
            let folder = scratch.file("wrong")
            let outcome = try await bob.outcome(["files", ship, "--save", folder, "--json"])
            #expect(outcome.status != 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
            await eventually("it has come again") { try await saves(bob, original) }
        }
    }
}
