import Foundation
import Testing
import Waiting

extension Stories {
    /// Where a node and the commands that ask it look for each other.
    @Suite("Where a node is")
    struct Whereabouts {
        /// A command of a user whose home directory is a folder of the test, in a session with a runtime folder or
        /// without.
        private func command(_ arguments: [String], of user: Scratch, runtime: String? = nil) -> [String] {
            let unset = ["MOOT_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"]
            return unset.flatMap { ["-u", $0] } + ["HOME=\(user.path)"]
                + (runtime.map { ["XDG_RUNTIME_DIR=\($0)"] } ?? []) + [TestNode.moot] + arguments
        }

        @Test
        func `a node is found by a shell with other folders, and whoever starts a second one hears of the first`()
            async throws
        {
            let user = try Scratch()
            let runtime = user.file("run")
            try FileManager.default.createDirectory(atPath: runtime, withIntermediateDirectories: false)
            func ask(_ arguments: String...) async throws -> Program.Outcome {
                try await Host.thisMachine.run(command(arguments, of: user, runtime: runtime))
            }
            let without = try await ask("status")
            #expect(without.status == 69 && without.errors.contains("moot up"), "\(without.errors)")

            // As cron and a unit of the system would.
            let node = try Program(
                command(["up", "--name", "Dora", "--web", "off", "--notify", "off"] + TestNode.loopback, of: user),
                output: user.file("up.out"), errors: user.file("up.log"))
            defer { node.signal(SIGKILL) }
            await eventually("the shell finds it") { try await ask("status").status == 0 }
            let socket = "\(user.path)/.local/share/moot/moot.sock"
            #expect(try await ask("status", "--socket").output == socket + "\n")
            let curl = try await Host.thisMachine.run([
                "curl", "--silent", "--unix-socket", socket, "http://localhost/api/v1/profile",
            ])
            #expect(curl.output.contains("\"Dora\""), "\(curl.output)")
            let second = try await ask("up", "--web", "off", "--notify", "off")
            #expect(second.status == 1 && second.errors.contains("process \(node.pid)"), "\(second.errors)")

            // A node that died leaves its socket and the file of its lock.
            node.signal(SIGKILL)
            _ = await node.ended()
            let after = try await ask("status")
            #expect(after.status == 69 && after.errors.contains("\(runtime)/moot/moot.sock"), "\(after.errors)")
        }

        @Test
        func `peers in the configuration count at every start, and places that are not there are told`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            try await bob.start()
            try FileManager.default.createDirectory(atPath: alice.home, withIntermediateDirectories: true)
            let file = "\(alice.home)/moot.toml"
            try Data("peers = [\"\(try await bob.address)\"]\n".utf8).write(to: URL(filePath: file))
            for _ in 0..<2 {
                try await alice.start()
                await expectFullMesh([alice, bob])
                await alice.stop()
            }
            try FileManager.default.removeItem(atPath: file)
            await bob.stop()

            // Nobody is there, and one place never is.
            try await alice.start(peerAddresses: ["nohost.invalid:47470"])
            await eventually("the log names the place") {
                await alice.log.contains("nohost.invalid:47470 is not found")
            }
            for command in ["status", "peers"] {
                let outcome = try await alice.outcome([command])
                #expect(outcome.status == 0 && outcome.errors.contains("moot up --peer"), "\(outcome.errors)")
            }
            await alice.stop()
            for arguments in [["--peer", "nonsense"], ["--peer", ":47470"], ["--interface", "an interface"]] {
                let outcome = try await alice.outcome(["up", "--web", "off"] + arguments)
                #expect(outcome.status == 64 && outcome.errors.contains(arguments[1]), "\(outcome.errors)")
            }
        }

        @Test
        func `a node that may open too few files says so, and does not begin`() async throws {
            let alice = try TestNode("Alice")
            let up = "\"$0\" up --web off --notify off --listen 127.0.0.1:0 --no-discovery"
            let outcome = try await Host.thisMachine.run(
                ["bash", "-c", "ulimit -n 64; \(up)", TestNode.moot], environment: ["MOOT_HOME": alice.home])
            #expect(outcome.status == 78 && outcome.errors.contains("LimitNOFILE"), "\(outcome.errors)")
        }
    }
}
