import Foundation
import SupervisionFixtures
import Testing
import Waiting

extension Stories {
    /// A node that a service manager starts, watches and stops.
    @Suite("A node as a service")
    struct Service {
        /// How a manager starts the node of somebody who has no login.
        private func start(
            _ home: String, in folder: Scratch, environment: [String: String], _ arguments: [String] = []
        ) throws -> Program {
            try Program(
                [TestNode.moot, "up", "--no-input", "--home", home, "--web", "0", "--notify", "off"] + TestNode.loopback
                    + arguments,
                environment: ["DBUS_SESSION_BUS_ADDRESS": "", "JOURNAL_STREAM": "8:1"].merging(environment) { $1 },
                output: folder.file("up.out"), errors: folder.file("up.log"))
        }

        @Test
        func `a manager hears that the node is ready, works, is stuck, and ends`() async throws {
            let folder = try Scratch()
            let manager = try NotificationSocket(folder.file("notify"))
            let home = folder.file("home")
            let node = try start(
                home, in: folder,
                environment: ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "400000", "MOOT_NAME": "Dora"])
            defer { node.signal(SIGKILL) }
            // Keep-alives begin before the API answers: opening a large home takes its time.
            var heard: [String] = []
            while heard.last != "READY=1", let message = await manager.next(within: .seconds(30)) {
                heard.append(message)
            }
            #expect(heard.last == "READY=1", "\(node.errors)")
            let whoami = try await Host.thisMachine.run([TestNode.moot, "whoami", "--home", home])
            #expect(whoami.status == 0 && whoami.output.contains("Dora"), "whoever hears of it can ask the node")
            // What a service prints is in the journal, where no secret has any business.
            #expect(node.output.contains("The node is ready."), "\(node.output)")
            #expect(!node.output.contains("/open/") && !node.output.contains("Dora"), "\(node.output)")

            for _ in 0..<3 { #expect(await manager.next(within: .seconds(10)) == "WATCHDOG=1") }
            node.signal(SIGSTOP)
            while await manager.next(within: .milliseconds(300)) != nil {}
            #expect(await manager.next(within: .milliseconds(800)) == nil, "who is stuck says nothing")
            node.signal(SIGCONT)
            #expect(await manager.next(within: .seconds(10)) == "WATCHDOG=1")

            let down = try await Host.thisMachine.run([TestNode.moot, "down", "--home", home, "--json"])
            #expect(down.status == 0 && down.output.contains("\"pid\":\(node.pid)"), "\(down.errors)")
            var last: String?
            while let message = await manager.next(within: .milliseconds(100)) { last = message }
            #expect(last == "STOPPING=1")
            #expect(await node.ended().status == 0)
            let again = try await Host.thisMachine.run([TestNode.moot, "down", "--home", home])
            #expect(again.status == 69 && again.errors.contains("No node of yours is running"), "\(again.errors)")
        }

        @Test
        func `a passphrase is a credential of the service, and the name of the first start lasts`() async throws {
            let folder = try Scratch()
            let (home, credentials) = (folder.file("home"), folder.file("credentials"))
            try FileManager.default.createDirectory(atPath: credentials, withIntermediateDirectories: false)
            let file = URL(filePath: credentials + "/passphrase")
            try Data("battery staple".utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: file.path)
            func run(_ name: String, _ passphrase: Bool) throws -> Program {
                try start(
                    home, in: folder,
                    environment: ["MOOT_NAME": name].merging(passphrase ? ["CREDENTIALS_DIRECTORY": credentials] : [:])
                    { $1 })
            }
            for name in ["dora", "another"] {
                let node = try run(name, true)
                defer { node.signal(SIGKILL) }
                await eventually("it answers") {
                    try await Host.thisMachine.run([TestNode.moot, "whoami", "--home", home]).output.contains("dora")
                }
                let down = try await Host.thisMachine.run([TestNode.moot, "down", "--home", home])
                #expect(down.status == 0, "\(down.errors)")
            }
            let without = try await run("dora", false).ended()
            #expect(without.status == 1 && without.errors.contains("passphrase_needed"), "\(without.errors)")
        }

        @Test
        func `settings are shown with where they come from, and a running node takes over what it can`() async throws {
            let folder = try Scratch()
            let (home, file) = (folder.file("home"), folder.file("home/moot.toml"))
            func moot(_ arguments: String...) async throws -> Program.Outcome {
                try await Host.thisMachine.run([TestNode.moot] + arguments + ["--home", home])
            }
            try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
            func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: file)) }
            try write("log-level = \"info\"\n")
            let before = try await moot("config")
            #expect(
                before.output.contains("log-level") && before.errors.contains("No node is running"), "\(before.errors)")

            let node = try start(home, in: folder, environment: ["MOOT_NAME": "Dora", "MOOT_FILES_QUOTA": "1GiB"])
            defer { node.signal(SIGKILL) }
            await eventually("it answers") { try await moot("whoami").status == 0 }
            let shown = try await moot("config")
            for part in [
                "info, /file \\(\(file), line 1\\)", "1GiB, /environment \\(MOOT_FILES_QUOTA\\)",
                "web, /0, /command line",
                "search-index, /auto, /default",
            ] {
                let words = part.split(separator: ", /").joined(separator: " +")
                #expect(shown.output.contains(try Regex(words)), "\(words): \(shown.output)")
            }

            try write(
                "log-level = \"debug\"\nlisten = \"127.0.0.1:1\"\nsearch-index = \"off\"\npeers = [\"127.0.0.1:9\"]\n")
            let reload = try await moot("config", "reload")
            #expect(reload.status == 0 && reload.errors.contains("In force now: peers, log-level."), "\(reload.errors)")
            #expect(reload.errors.contains("moot up: search-index."), "the command line has another place to listen")
            await eventually("the log says more") { node.errors.contains(" debug moot: a dial failed") }

            try write("log-level = \"info\"\n[files\n")
            let broken = try await moot("config", "reload", "--json")
            #expect(broken.status == 78 && broken.errors.contains("line 2, column 7"), "\(broken.errors)")
            node.signal(SIGHUP)
            await eventually("the log has the reason") { node.errors.contains("The settings stay as they were") }
            try write("log-level = \"debug\"\n")
            node.signal(SIGHUP)
            await eventually("it is read again") { node.errors.contains("In force now: peers.") }
            let json = try await moot("config", "--json")
            #expect(json.output.contains(#""name":"log-level""#) && json.output.contains(#""is_file_there":true"#))
            let down = try await moot("down")
            #expect(down.status == 0, "\(down.errors)")
        }

        @Test
        func `status says where everything of a node is`() async throws {
            let folder = try Scratch()
            let home = folder.file("home")
            let arguments = ["--home", home, "--web", "0", "--notify", "off", "--detach"] + TestNode.loopback
            let up = try await Host.thisMachine.run([TestNode.moot, "up"] + arguments)
            #expect(up.status == 0 && up.errors.contains("moot down --home \(home) stops it."), "\(up.errors)")
            let status = try await Host.thisMachine.run([TestNode.moot, "status", "--home", home])
            for line in [
                "home       \(home)\n", "socket     \(home)/moot.sock\n", "log        \(home)/log/moot.log\n",
                "page       http://127.0.0.1:",
            ] {
                #expect(status.output.contains(line), "\(status.output)")
            }
            let json = try await Host.thisMachine.run([TestNode.moot, "status", "--home", home, "--json"])
            let pid = try #require(json.output.firstMatch(of: /"pid":(\d+)/)).output.1
            #expect(status.output.contains("process    \(pid)\n"))
            #expect(!status.output.contains("/open/"), "this address lets nobody in")
            let down = try await Host.thisMachine.run([TestNode.moot, "down", "--home", home])
            #expect(down.status == 0 && down.errors.contains("has ended"), "\(down.errors)")
            #expect(!FileManager.default.fileExists(atPath: "/proc/\(pid)/exe"))
        }
    }
}
