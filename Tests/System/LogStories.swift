import Foundation
import SupervisionFixtures
import Testing
import Waiting

extension Stories {
    /// What nodes write of themselves at the most verbose level, and tell whoever watches over them.
    @Suite("Logs")
    struct Logs {
        /// Words that are nowhere but where somebody wrote them. Whoever adds one to the story need not tell whoever
        /// searches.
        private static let beginning = "quagga"
        private static let (alice, bob) = ("\(beginning)alice", "\(beginning)bob")
        private static let (carol, group) = ("\(beginning)carol", "\(beginning)group")
        private static let emoji = "🦤"

        @Test
        func `hold no text, no name and no secret, whatever happens`() async throws {
            let scratch = try Scratch()
            let journal = try await JournalStandIn(in: scratch)
            let options = ["--web", "0", "--log-level", "trace"] + TestNode.loopback
            let alice = try TestNode(Self.alice, on: journal.service, options: options)
            let bob = try TestNode(Self.bob, on: journal.host, options: options)
            let carol = try TestNode(Self.carol, on: journal.host, options: options)
            var programs = [try await start(alice, [])]
            for node in [bob, carol] { programs.append(try await start(node, ["--peer", try await alice.address])) }
            await eventually("they have met") { try await alice.peers().count == 2 }

            var told = try await write(alice, bob, scratch)
            told.secrets += try await letIn(alice, journal.host)
            try await fail(alice, bob, journal.host)
            let metrics = try await ask(alice, "/api/v1/metrics", journal.host)
            let health = try await ask(alice, "/api/v1/health", journal.host)
            let status = try await ask(alice, "/api/v1/status", journal.host)
            await alice.stop()
            programs += try await lock(alice, scratch, &told.secrets)
            for node in [bob, carol, alice] { await node.stop() }

            let entries = await journal.entries()
            // What the others print is for whoever started them.
            let logs = programs.map(\.errors) + [programs[0].output, programs[3].output]
            for (name, text) in [("metrics", metrics), ("health", health), ("the journal", entries)]
                + logs.enumerated().map({ ("log \($0.offset)", $0.element) })
            {
                expectNothing(in: text, name, of: told.secrets + [Self.beginning, Self.emoji])
            }
            // It is what the user asks for: it names those who are connected and what is synchronized, and nothing
            // else.
            expectNothing(in: status, "status", of: told.secrets + told.contents + [Self.emoji])
            expectLines(of: logs[1], entries, isJournal: journal.isPossible)
        }

        /// What nothing may tell.
        private struct Told {
            var secrets: [String]
            var contents: [String]
        }

        private func start(_ node: TestNode, _ arguments: [String]) async throws -> Program {
            let program = try await node.launch(["--web", "0", "--log-level", "trace"] + TestNode.loopback + arguments)
            await eventually("the node answers") { try await node.outcome(["whoami"]).status == 0 }
            return program
        }

        /// Everything that people do with texts, files and names.
        private func write(_ alice: TestNode, _ bob: TestNode, _ scratch: Scratch) async throws -> Told {
            let word = Self.beginning
            try await alice.run("create", Self.group, Self.bob, Self.carol)
            await eventually("Bob has the group") { try await bob.outcome(["info", Self.group]).status == 0 }
            let contents = ["text", "edited", "answer", "draft", "tag", "description", "file"].map { word + $0 }
            try await alice.run("describe", Self.group, contents[5])
            let sent: MessageAnswer = try await alice.answer("send", Self.group, "\(contents[0]) @\(Self.bob)")
            try await alice.run("edit", sent.id, contents[1])
            await eventually("Bob reads it") { try await bob.texts(in: Self.group) == [contents[1]] }
            try await bob.run("react", sent.id, Self.emoji)
            try await bob.run("send", Self.group, contents[2], "--reply", sent.id)
            try await alice.run("pin", sent.id)
            let file = scratch.file("\(contents[6]).txt")
            try Data("\(contents[6]) \(contents[0])".utf8).write(to: URL(filePath: file))
            try await alice.run("send", Self.group, "--file", file)
            try await alice.run("private", Self.group, "--draft", contents[3], "--tag", contents[4])
            try await alice.run("search", contents[1])
            try await bob.run("files", Self.group, "--save", scratch.file("saved"), "--wait", "20s")
            try await alice.run("delete", sent.id)
            let renamed = "\(Self.group)renamed"
            try await alice.run("rename", Self.group, renamed)
            let code: Codes.NewCode = try await alice.answer("invite", renamed, "--code")
            let passphrase = scratch.file("sealing")
            try Data("\(word)sealing\n".utf8).write(to: URL(filePath: passphrase))
            try await alice.run("backup", scratch.file("backup"), "--passphrase-file", passphrase)
            return Told(secrets: [code.code, "\(word)sealing"], contents: contents)
        }

        /// Lets in a program and a browser, and returns their secrets.
        private func letIn(_ alice: TestNode, _ host: Host) async throws -> [String] {
            let made = try await alice.run("token", "create", "--name", "\(Self.beginning)token")
            let token = made.trimmingCharacters(in: .whitespacesAndNewlines)
            let address = try await alice.run("open", "--print").trimmingCharacters(in: .whitespacesAndNewlines)
            let page = try #require(URL(string: address))
            let site = "http://\(try #require(page.host)):\(try #require(page.port))"
            let entered = try await curl(host, "-i", address)
            let cookie = try #require(entered.firstMatch(of: /(?i)set-cookie: ([^=]+=([^;\s]+))/)).output
            let claim = try #require(entered.firstMatch(of: /claim=([^\s]+)/)).output.1
            let keyed = try await curl(
                host, "-H", "Cookie: \(cookie.1)", "-H", "Content-Type: application/json", "-d",
                "{\"claim\":\"\(claim)\"}", "\(site)/api/v1/web/key")
            let key = try #require(keyed.firstMatch(of: /"key":"([^"]+)"/), "\(keyed)").output.1
            let session = ["-H", "Cookie: \(cookie.1)", "-H", "Moot-Key: \(key)"]
            let shown = try await curl(host, session + ["\(site)/api/v1/status"])
            #expect(shown.contains(Self.alice), "the browser is let in: \(shown)")
            let words = "\(site)/api/v1/search?q=\(Self.beginning)sought"
            let found = try await curl(host, "-H", "Authorization: Bearer \(token)", words)
            #expect(!found.contains("error"), "the program is let in: \(found)")
            return [token, page.lastPathComponent, String(cookie.2), String(claim), String(key)]
        }

        /// What people get wrong, and what strangers try.
        private func fail(_ alice: TestNode, _ bob: TestNode, _ host: Host) async throws {
            let word = Self.beginning
            #expect(try await alice.refusal("send", "\(word)nowhere", "\(word)lost") == "conversation_not_found")
            #expect(try await alice.refusal("direct", "\(word)nobody") == "unknown_person")
            #expect(try await alice.refusal("join", "\(word)code") == "code_invalid")
            await eventually("Bob hears of the new name") {
                try await bob.outcome(["info", "\(Self.group)renamed"]).status == 0
            }
            #expect(
                try await bob.refusal("rename", "\(Self.group)renamed", "\(word)taken") == "insufficient_permissions")
            let socket = try await alice.run("status", "--socket").trimmingCharacters(in: .whitespacesAndNewlines)
            for body in ["{\"text\":\"\(word)", "{\"\(word)\":\"\(word)\"}", "\(word)", "{\"name\":[\"\(word)\"]}"] {
                let answer = try await curl(
                    host, "--unix-socket", socket, "-H", "Content-Type: application/json", "-d", body,
                    "http://localhost/api/v1/conversations?\(word)=%FF\(word)")
                #expect(answer.contains("invalid_request"), "\(answer)")
            }
            let web = try #require(try await ask(alice, "/api/v1/status", host).firstMatch(of: /"web":"([^"]+)"/))
            let site = web.output.1.replacing("\\", with: "")
            for arguments in [
                ["-H", "Authorization: Bearer \(word)token", "\(site)/api/v1/\(word)"],
                ["-H", "Host: \(word)", "-H", "Cookie: moot=\(word)", "\(site)/open/\(word)"],
                ["-H", "Origin: http://\(word)", "-X", "\(word.uppercased())", "\(site)/\(word)"],
                // The port for other nodes: what comes there is no handshake.
                ["--http0.9", "-d", word, "http://\(try await alice.address)/\(word)"],
            ] {
                _ = try await curl(host, arguments)
            }
        }

        /// Guards the home of a node that is stopped, and starts it with the wrong passphrase and the right one.
        private func lock(_ alice: TestNode, _ scratch: Scratch, _ secrets: inout [String]) async throws -> [Program] {
            let words = ["\(Self.beginning)horse", "\(Self.beginning)battery"]
            let files = ["first", "second"].map { scratch.file($0) }
            for (word, file) in zip(words, files) { try Data("\(word)\n".utf8).write(to: URL(filePath: file)) }
            try await alice.run("passphrase", "set", "--new-passphrase-file", files[0])
            secrets += words
            let options = ["--log-level", "trace"] + TestNode.loopback
            let refused = try await alice.launch(options + ["--passphrase-file", files[1]])
            #expect(await refused.ended().errors.contains("wrong_passphrase"))
            return [try await start(alice, ["--passphrase-file", files[0]]), refused]
        }

        private func ask(_ node: TestNode, _ path: String, _ host: Host) async throws -> String {
            try await curl(host, "--unix-socket", "\(node.home)/moot.sock", "http://localhost\(path)")
        }

        private func curl(_ host: Host, _ arguments: String...) async throws -> String {
            try await curl(host, arguments)
        }

        private func curl(_ host: Host, _ arguments: [String]) async throws -> String {
            try await host.run(["curl", "--silent", "--max-time", "10"] + arguments).output
        }

        /// Expects that a text has none of some words, neither as they are nor in base64 or hexadecimal.
        private func expectNothing(
            in text: String, _ name: String, of words: [String], sourceLocation: SourceLocation = #_sourceLocation
        ) {
            let text = text.lowercased()
            for word in words {
                for form in Self.forms(of: word) where text.contains(form.lowercased()) {
                    let line = text.split(separator: "\n").first { $0.contains(form.lowercased()) } ?? ""
                    Issue.record("\(name) has \(form): \(line)", sourceLocation: sourceLocation)
                }
            }
        }

        private static func forms(of word: String) -> [String] {
            let bytes = Data(word.utf8)
            let base64 = bytes.base64EncodedString()
            let urlSafe = base64.replacing("+", with: "-").replacing("/", with: "_")
            var forms = [word, base64, urlSafe].map { $0.trimmingCharacters(in: ["="]) } + [hexadecimal(bytes)]
            let padded = word.replacing("-", with: "+").replacing("_", with: "/")
            let meant = Data(base64Encoded: padded + String(repeating: "=", count: (4 - padded.count % 4) % 4))
            // Of what is a text only because bytes need one.
            if let meant, meant.count >= 16 { forms.append(hexadecimal(meant)) }
            return forms
        }

        private static func hexadecimal(_ bytes: Data) -> String {
            bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        }

        /// Expects that there was something to find: lines of every level, with whom they are about, and entries with
        /// fields.
        private func expectLines(of log: String, _ entries: String, isJournal: Bool) {
            for word in [" trace moot: ", " debug moot: ", " info moot: connected ", " peer="] {
                #expect(log.contains(word), "a log without \(word)")
            }
            guard isJournal else { return }
            for line in ["SYSLOG_IDENTIFIER=moot\n", "PRIORITY=7\n", "PRIORITY=6\n", "\nMOOT_PEER=", "\nMOOT_DEVICE="] {
                #expect(entries.contains(line), "a journal without \(line)")
            }
        }
    }
}

/// Stands in for the journal of systemd, where the system lets us put a socket into its place for some processes alone.
private struct JournalStandIn {
    let isPossible: Bool
    /// Where everything runs.
    let host: Host
    /// Where what runs takes itself for a service.
    let service: Host
    private let network: PrivateNetwork?
    private let reading: Task<String, Never>

    init(in scratch: Scratch) async throws {
        isPossible = await PrivateNetwork.isPossible()
        let socket = try NotificationSocket(scratch.file("journal"))
        network = isPossible ? try await PrivateNetwork() : nil
        host = network?.loopback ?? .thisMachine
        if let network {
            try await network.run("mkdir", "-p", "/run/systemd/journal")
            try await network.run("ln", "-s", socket.name, "/run/systemd/journal/socket")
        }
        let asService = "export JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/2); exec \"$@\""
        service = Host(entering: host.entering + ["sh", "-c", asService, "sh"])
        reading = Task.detached {
            var text = ""
            repeat {
                // Nobody waits for a journal that does not keep up: what it lost is on standard error.
                while let entry = await socket.next(within: .milliseconds(100)) { text += entry + "\n" }
            } while !Task.isCancelled
            return text
        }
    }

    /// What came, when nothing more comes.
    func entries() async -> String {
        reading.cancel()
        return await reading.value
    }
}
