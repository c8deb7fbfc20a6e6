import Foundation
import Testing
import Waiting

extension Stories {
    @Suite("Keys")
    struct Keys {
        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
        }

        /// A file with a passphrase in it.
        private func file(_ name: String, _ text: String) throws -> String {
            let path = scratch.file(name)
            let made = FileManager.default.createFile(
                atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
            try #require(made)
            return path
        }

        /// Starts a node that must not come up, and returns what it says.
        private func failure(of node: TestNode, _ arguments: String...) async throws -> Program.Outcome {
            await (try await node.launch(TestNode.loopback + ["--no-input"] + arguments)).ended()
        }

        /// The bytes of a file of the keys.
        private func key(_ name: String, of node: TestNode) throws -> Data {
            try Data(contentsOf: URL(filePath: "\(node.home)/keys/\(name)"))
        }

        /// The files of a home in which any of some secrets stands as it is, or in hexadecimal digits.
        private func files(of node: TestNode, revealing secrets: [Data]) throws -> [String] {
            let needles =
                secrets + secrets.map { Data($0.map { String(format: "%02x", $0) }.joined().utf8) }
            let paths = try #require(FileManager.default.enumerator(atPath: node.home)).compactMap { $0 as? String }
            return paths.filter { path in
                guard let content = FileManager.default.contents(atPath: "\(node.home)/\(path)") else { return false }
                return needles.contains { content.range(of: $0) != nil }
            }
        }

        @Test
        func `behind a passphrase nothing of the key is left that opens a home, and its user stays`() async throws {
            let alice = try TestNode("Alice")
            try await alice.start()
            let user = try await alice.status().user
            await alice.stop()
            let master = try key("key", of: alice)[1..<33]
            #expect(try files(of: alice, revealing: [master]) == ["keys/key"])

            let horse = try file("horse", "correct horse\n")
            try await alice.run("passphrase", "set", "--new-passphrase-file", horse)
            #expect(try files(of: alice, revealing: [master]).isEmpty)

            let missing = try await failure(of: alice)
            #expect(missing.status == 1)
            #expect(missing.errors.contains("passphrase_needed"), "\(missing.errors)")
            #expect(missing.errors.contains("--passphrase-file"), "it says how: \(missing.errors)")
            let wrong = try await failure(of: alice, "--passphrase-file", try file("wrong", "battery staple\n"))
            #expect(wrong.status == 1)
            #expect(wrong.errors.contains("wrong_passphrase"), "\(wrong.errors)")

            let program = try await alice.launch(TestNode.loopback + ["--passphrase-file", horse])
            await eventually("the node opens its keys") { program.output.contains(" is ready.") }
            #expect(try await alice.status().user == user)
            #expect(try files(of: alice, revealing: [master, Data("correct horse".utf8)]).isEmpty)
        }

        @Test
        func `a node locks itself only behind a passphrase, and its process is gone then`() async throws {
            let alice = try TestNode("Alice")
            try await alice.start()
            #expect(try await alice.refusal("lock") == "invalid_operation")
            #expect(try await alice.refusal("passphrase", "set", "--new-passphrase-file", "/dev/null") == "home_in_use")
            let user = try await alice.status().user
            await alice.stop()

            let horse = try file("horse", "correct horse\n")
            try await alice.run("passphrase", "set", "--new-passphrase-file", horse)
            let program = try await alice.launch(TestNode.loopback + ["--passphrase-file", horse])
            await eventually("the node opens its keys") { program.output.contains(" is ready.") }
            #expect(try await alice.status().user == user)
            try await alice.run("lock")
            let ended = await eventually("the process is gone", within: .seconds(2)) { !program.isRunning }
            #expect(ended)
            #expect(await program.ended().status == 0)
            #expect(try await alice.outcome(["status"]).status == 69)
        }

        @Test
        func `no image of a node's memory can be written or read`() async throws {
            let alice = try TestNode("Alice")
            let program = try await alice.launch(TestNode.loopback)
            await eventually("the node is ready") { program.output.contains(" is ready.") }
            let limits = try String(contentsOfFile: "/proc/\(program.pid)/limits", encoding: .utf8)
            let core = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
            #expect(core.split(separator: " ").suffix(3) == ["0", "0", "bytes"])
            // A process that may not be dumped belongs to root in /proc (proc(5)).
            let owner = try FileManager.default.attributesOfItem(atPath: "/proc/\(program.pid)/mem")[.ownerAccountID]
            #expect(owner as? Int == 0)
        }

        @Test
        func `a damaged file of keys is named`() async throws {
            let alice = try TestNode("Alice")
            try await alice.start()
            await alice.stop()
            var bytes = try key("device.sealed", of: alice)
            bytes[40] ^= 1
            try bytes.write(to: URL(filePath: "\(alice.home)/keys/device.sealed"))
            let refused = try await failure(of: alice)
            #expect(refused.status == 78)
            #expect(refused.errors.contains("damaged_home"), "\(refused.errors)")
            #expect(refused.errors.contains("keys/device.sealed "), "\(refused.errors)")
        }

        @Test
        func `a node whose passphrase was being set when it was killed starts as before`() async throws {
            let alice = try TestNode("Alice")
            try await alice.start()
            let user = try await alice.status().user
            await alice.stop()
            let plain = try key("key", of: alice)
            try await alice.run("passphrase", "set", "--new-passphrase-file", try file("horse", "correct horse\n"))
            try plain.write(to: URL(filePath: alice.home + "/keys/key"))
            try await alice.start()
            #expect(try await alice.status().user == user)
            #expect(await alice.log.contains("an interrupted change of the passphrase was ended"))
            #expect(!FileManager.default.fileExists(atPath: alice.home + "/keys/passphrase"))
        }

        @Test
        func `power lost while secrets are sealed and a passphrase is set or removed loses no key`() async throws {
            let points = KillPoints(round: 0, of: 1, seed: freshSeed)
            print("power cuts: \(points)")
            var random = SeededGenerator(seed: points.seed)
            let library = try await Interposed("CutWrites")
            let horse = try file("horse", "correct horse\n")
            let setting = ["set", "--new-passphrase-file", horse]
            let removing = ["remove", "--passphrase-file", horse]

            let whole = try TestNode("Whole")
            try await whole.start()
            let user = try await whole.status().user
            await whole.stop()
            let other = try copy(of: whole)
            let setCalls = try await calls(of: setting, on: other, library)
            let removeCalls = try await calls(of: removing, on: other, library)

            for cut in points.cuts(12, before: setCalls, using: &random) {
                let alice = try copy(of: whole)
                try await lose(cut, setting, on: alice, library)
                try await expectUser(user, of: alice, passphraseFile: horse, after: "set, \(cut)")
            }
            for cut in points.cuts(6, before: removeCalls, using: &random) {
                let alice = try copy(of: whole)
                try await alice.run("passphrase", "set", "--new-passphrase-file", horse)
                try await lose(cut, removing, on: alice, library)
                try await expectUser(user, of: alice, passphraseFile: horse, after: "remove, \(cut)")
            }
        }

        /// Another home that is like one.
        private func copy(of node: TestNode) throws -> TestNode {
            let copy = try TestNode("Alice")
            try? FileManager.default.removeItem(atPath: copy.home)
            try FileManager.default.copyItem(atPath: node.home, toPath: copy.home)
            return copy
        }

        /// How many calls that write a command about the passphrase makes.
        private func calls(of words: [String], on node: TestNode, _ library: Interposed) async throws -> Int {
            let outcome = try await change(words, on: node, library, PowerCut())
            return try #require(PowerCut.calls(in: outcome.errors), "\(outcome.errors)")
        }

        /// Runs a command about the passphrase up to the cut.
        private func lose(_ cut: PowerCut, _ words: [String], on node: TestNode, _ library: Interposed) async throws {
            let outcome = try await change(words, on: node, library, cut)
            try #require(outcome.status == PowerCut.status, "\(cut): \(outcome.errors)")
        }

        private func change(
            _ words: [String], on node: TestNode, _ library: Interposed, _ cut: PowerCut
        ) async throws -> Program.Outcome {
            let kept = node.home + "-kept"
            try FileManager.default.createDirectory(atPath: kept, withIntermediateDirectories: true)
            return try await Host.thisMachine.run(
                [TestNode.moot, "passphrase"] + words + ["--home", node.home],
                environment: library.environment.merging(cut.environment(home: node.home, kept: kept)) { $1 })
        }

        /// Expects that a node starts, with the passphrase if it wants it, and is who it was.
        private func expectUser(
            _ user: String, of node: TestNode, passphraseFile: String, after cut: String
        ) async throws {
            for options in [[], ["--passphrase-file", passphraseFile]] {
                let program = try await node.launch(TestNode.loopback + ["--no-input"] + options)
                await eventually("the node is ready or refuses: \(cut)") {
                    !program.isRunning || program.output.contains(" is ready.")
                }
                guard program.isRunning else {
                    let refused = await program.ended()
                    try #require(refused.errors.contains("passphrase_needed"), "\(cut): \(refused.errors)")
                    continue
                }
                #expect(program.output.contains(user), "\(cut)")
                await node.stop()
                return
            }
            Issue.record("the node starts neither way: \(cut)")
        }

        @Test
        func `a passphrase is typed twice, is not shown, and opens a node in the background`() async throws {
            let alice = try TestNode("Alice")
            try await alice.start()
            await alice.stop()
            let typist = try Typist()

            let set = try program(["passphrase", "set"], of: alice, typist, "set")
            await eventually("it asks") { set.errors.contains("New passphrase: ") }
            typist.type("correct horsé\u{7F}e\r")
            await eventually("it asks again") { set.errors.contains("Again: ") }
            typist.type("correct horse\r")
            let done = await set.ended()
            #expect(done.status == 0, "\(done.errors)")

            let up = try program(["up", "--detach", "--json"] + TestNode.loopback, of: alice, typist, "up")
            #expect(await up.ended().errors.contains("passphrase_needed"), "a program is not asked")
            let detached = try program(["up", "--detach"] + TestNode.loopback, of: alice, typist, "detached")
            await eventually("it asks") { detached.errors.contains("Passphrase: ") }
            typist.type("correct horse\r")
            let started = await detached.ended()
            #expect(started.status == 0, "\(started.errors)")
            try await alice.run("lock")

            let removed = try program(["passphrase", "remove"], of: alice, typist, "remove")
            await eventually("it asks") { removed.errors.contains("Passphrase: ") }
            typist.type("\u{3}")
            #expect(await removed.ended().status == 128 + SIGINT)
            #expect(FileManager.default.fileExists(atPath: alice.home + "/keys/passphrase"))
            #expect(!typist.shown.contains("horse"))
        }

        /// Runs a command with a person at its terminal.
        private func program(
            _ arguments: [String], of node: TestNode, _ typist: Typist, _ name: String
        ) throws -> Program {
            try Program(
                [TestNode.moot] + arguments, environment: ["MOOT_HOME": node.home], input: typist.terminal,
                output: scratch.file(name + ".out"), errors: scratch.file(name + ".err"))
        }

        @Test(arguments: [
            ("", "a passphrase of nothing"), ("two\nlines\n", "two lines"),
            (String(repeating: "x", count: 1_025), "one too long"),
        ])
        func `what is no passphrase is refused and changes nothing`(text: String, about: String) async throws {
            let alice = try TestNode("Alice")
            let made = try await failure(of: alice, "--passphrase-file", try file("none", text))
            #expect(made.errors.contains("invalid_request"), "\(about): \(made.errors)")
            #expect(!FileManager.default.fileExists(atPath: alice.home + "/keys"))
        }
    }
}
