import Foundation
import Testing
import Waiting

extension Stories {
    @Suite("Examples")
    struct Examples {
        /// The package's folder.
        private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()

        /// Starts a program of `examples`, with the `moot` under test first on its path.
        private func start(
            _ arguments: [String], environment: [String: String] = [:], in scratch: Scratch
        ) throws -> Program {
            let path = Self.root.appending(path: "examples/\(arguments[0])").path
            return try Program(
                [path] + arguments.dropFirst(), environment: environment.merging(["MOOT": TestNode.moot]) { $1 },
                output: scratch.file("example.out"), errors: scratch.file("example.err"))
        }

        /// How many programs follow a node's events.
        private func listeners(to node: TestNode) async throws -> Int? {
            let metrics = try await Host.thisMachine.run([
                "curl", "--silent", "--unix-socket", "\(node.home)/moot.sock", "http://localhost/api/v1/metrics",
            ])
            return try metrics.output.firstMatch(
                of: Regex(#"(?m)^moot_event_streams (\d+)$"#, as: (Substring, Substring).self)
            )
            .flatMap { Int($0.1) }
        }

        @Test
        func `the echo bot answers who speaks to it, goes on after a restart of its node, and answers nothing twice`()
            async throws
        {
            let alice = try TestNode("Alice")
            let robot = try TestNode("Robot")
            try await alice.start()
            try await robot.start(peers: [alice])
            await expectFullMesh([alice, robot])
            let direct: ConversationAnswer = try await alice.answer("direct", "Robot")
            let scratch = try Scratch()
            let bot = try start(["echo-bot/echo_bot.py"], environment: ["MOOT_HOME": robot.home], in: scratch)
            defer { bot.signal(SIGKILL) }
            await eventually("the bot listens") { try await listeners(to: robot) == 1 }

            for text in ["echo Grüße, 世界", "nothing for robots", "Hello @Robot"] {
                try await alice.run("send", direct.id, text)
            }
            let answers = ["Grüße, 世界", "Alice said: Hello @Robot"]
            await eventually("the bot has answered") {
                try await Set(alice.texts(in: direct.id)).isSuperset(of: answers)
            }

            await robot.stop()
            try await robot.start(peers: [alice])
            // Whether the bot is back before this or not.
            try await alice.run("send", direct.id, "echo again")
            await eventually("the bot answers again") { try await alice.texts(in: direct.id).contains("again") }
            #expect(try await alice.texts(in: direct.id).count == 4 + 3, "each answer once, and no others")
            bot.signal(SIGINT)
            #expect(await bot.ended().status == 0)
        }

        @Test
        func `two bridges carry between two conversations, and not in circles`() async throws {
            let alice = try TestNode("Alice")
            let bridge = try TestNode("Bridge")
            let bob = try TestNode("Bob")
            try await bridge.start()
            for node in [alice, bob] { try await node.start(peers: [bridge]) }
            await expectFullMesh([alice, bridge, bob])
            let left: ConversationAnswer = try await alice.answer("direct", "Bridge")
            let right: ConversationAnswer = try await bob.answer("direct", "Bridge")
            for name in ["Alice", "Bob"] { try await bridge.run("direct", name) }
            let scratches = [try Scratch(), try Scratch()]
            let bridges = try [(left.id, right.id), (right.id, left.id)].enumerated().map { index, ends in
                try start(
                    ["bridge/bridge.sh", ends.0, ends.1], environment: ["MOOT_HOME": bridge.home],
                    in: scratches[index])
            }
            defer { for bridge in bridges { bridge.signal(SIGKILL) } }
            await eventually("both bridges watch") { try await listeners(to: bridge) == 2 }

            try await alice.run("send", left.id, "-", input: "Ahoy,\n$(world) \"x\"")
            await eventually("Bob reads Alice") { try await bob.texts(in: right.id) == [#"Alice: Ahoy, $(world) "x""#] }
            try await bob.run("send", right.id, "Aye")
            await eventually("Alice reads Bob") { try await alice.texts(in: left.id).last == "Bob: Aye" }
            #expect(try await alice.texts(in: left.id).count == 2)
            #expect(try await bob.texts(in: right.id).count == 2)

            // A bridge ends with its node.
            await bridge.stop()
            for bridge in bridges { _ = await bridge.ended() }
        }
    }

    @Suite("Loopback")
    struct Loopback {
        /// What `moot open` answers.
        private struct Address: Decodable {
            let address: String
        }

        private struct Token: Decodable {
            let token: String
            let origin: String
        }

        @Test
        func `a browser is let in once by the address that moot open prints, a program by the token`() async throws {
            let alice = try TestNode("Alice", options: TestNode.loopback + ["--web", "0"])
            try await alice.start()
            let address: Address = try await alice.answer("open", "--print")
            let jar = try Scratch()
            let curl = ["curl", "--silent", "--location", "--cookie-jar", jar.file("jar"), "--cookie", jar.file("jar")]
            let page = try await Host.thisMachine.run(curl + ["--write-out", "\n%{url_effective}", address.address])
            #expect(page.output.contains("<title>Moot"), "\(page.errors)")
            let origin = address.address.split(separator: "/open/").first.map(String.init) ?? ""
            let claim = try #require(page.output.split(separator: "?claim=").last)
            let told = try await Host.thisMachine.run(
                curl + ["--data", #"{"claim":"\#(claim)"}"#, "\(origin)/api/v1/web/key"])
            let key = try #require(told.output.firstMatch(of: /[0-9a-f]{64}/), "\(told.output)").output
            let bare = try await Host.thisMachine.run(curl + ["\(origin)/api/v1/status"])
            #expect(bare.output.contains("not_admitted"))
            let mine = try await Host.thisMachine.run(
                curl + ["--header", "Moot-Key: \(key)", "\(origin)/api/v1/status"])
            #expect(mine.output.contains(#""name":"Alice""#))
            let again = try await Host.thisMachine.run(["curl", "--silent", address.address])
            #expect(again.output.contains("moot open"))
            // Where the notification of a new device leads.
            let devices: Address = try await alice.answer("open", "moot://devices", "--print")
            #expect(devices.address.hasPrefix("\(origin)/open/") && devices.address.hasSuffix("#/devices"))
            #expect(try await alice.refusal("open", "moot://devices/x", "--print") == "invalid_request")

            let token: Token = try await alice.answer("open", "--token")
            let status = try await Host.thisMachine.run([
                "curl", "--silent", "--header", "Authorization: Bearer \(token.token)", "\(token.origin)/api/v1/status",
            ])
            #expect(status.output.contains(#""name":"Alice""#))
            let stranger = try await Host.thisMachine.run(["curl", "--silent", "\(token.origin)/api/v1/status"])
            #expect(stranger.output.contains("not_admitted"))

            // Secrets of one run are worth nothing in the next.
            await alice.stop()
            let port = try #require(token.origin.split(separator: ":").last)
            let later = try TestNode("Alice", home: alice.home, options: TestNode.loopback + ["--web", String(port)])
            try await later.start()
            let late = try await Host.thisMachine.run(curl + ["\(token.origin)/api/v1/status"])
            #expect(late.output.contains("not_admitted"))
            await later.stop()
        }

        @Test
        func `moot open tells the desktop a page to show, and the address stands only in that`() async throws {
            let alice = try TestNode("Alice", options: TestNode.loopback + ["--web", "0"])
            try await alice.start()
            let desk = try Scratch()
            let opener = #"""
                #!/bin/sh
                printf '%s' "$*" >"$DESK/arguments"
                cat "${1#file://}" >"$DESK/page"
                """#
            try Data(opener.utf8).write(to: URL(filePath: desk.file("xdg-open")))
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: desk.file("xdg-open"))
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            let opened = try await Host.thisMachine.run(
                [TestNode.moot, "open"],
                environment: [
                    "MOOT_HOME": alice.home, "DISPLAY": ":0", "DESK": desk.path, "PATH": "\(desk.path):\(path)",
                ])
            let address = opened.output.trimmingCharacters(in: .whitespacesAndNewlines)
            let secret = try #require(address.split(separator: "/").last)
            let arguments = try String(contentsOfFile: desk.file("arguments"), encoding: .utf8)
            #expect(arguments.hasPrefix("file:///") && arguments.hasSuffix(".html"))
            #expect(secret.count >= 16 && !arguments.contains(secret))
            let page = try String(contentsOfFile: desk.file("page"), encoding: .utf8)
            #expect(page.contains("url=\(address)\""))
            #expect(!FileManager.default.fileExists(atPath: String(arguments.dropFirst("file://".count))))
            await alice.stop()
        }

        @Test
        func `a detached node tells its address to whoever started it, and keeps it out of its log`() async throws {
            /// What `moot up` answers.
            struct Ready: Decodable {
                let web: String
                let pid: pid_t
            }
            let alice = try TestNode("Alice")
            let started = try await alice.outcome(
                ["up", "--name", "Alice", "--web", "0", "--detach", "--json"] + TestNode.loopback)
            let ready = try JSONDecoder().decode(Ready.self, from: Data(started.output.utf8))
            defer { kill(ready.pid, SIGTERM) }
            let log = try String(contentsOfFile: "\(alice.home)/log/moot.log", encoding: .utf8)
            #expect(!log.contains("/open/"))
            let page = try await Host.thisMachine.run(["curl", "--silent", "--include", ready.web])
            #expect(page.output.hasPrefix("HTTP/1.1 303"))
            kill(ready.pid, SIGTERM)
            await eventually("the node has ended") { kill(ready.pid, 0) != 0 }
        }

        @Test
        func `without --web there is no address, and moot open says how to get one`() async throws {
            let alice = try TestNode("Alice")
            try await alice.start()
            #expect(try await alice.refusal("open", "--print") == "no_web")
        }
    }
}
