import Foundation
import Testing
import Waiting

extension Stories {
    @Suite("Bad input")
    struct BadInput {
        @Test(arguments: [freshSeed])
        func `garbage on the TCP port costs the stranger their connection and nobody else anything`(seed: UInt64)
            async throws
        {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            try await alice.start()
            try await bob.start(peers: [alice])
            await expectFullMesh([alice, bob])
            let direct: ConversationAnswer = try await bob.answer("direct", "Alice")
            let address = try await alice.address

            var random = SeededGenerator(seed: seed)
            var strangers: [RawConnection] = []
            for bytes in Self.garbage(&random) {
                let stranger = try RawConnection(to: address)
                stranger.send(bytes)
                // Some hang up at once, some stay silent forever.
                if Bool.random(using: &random) { strangers.append(stranger) }
            }

            try await bob.run("send", direct.id, "Still there?")
            await eventually("Alice reads on") { try await alice.texts(in: direct.id) == ["Still there?"] }
            #expect(await alice.isRunning)
            #expect(try await alice.peers() == ["Bob"])

            // The silent ones do not keep friends out for longer than a handshake may take.
            let carol = try TestNode("Carol")
            try await carol.start(peers: [alice])
            await eventually("Carol gets in") { try await alice.peers() == ["Bob", "Carol"] }
            withExtendedLifetime(strangers) {}
        }

        @Test(.enabled("network namespaces are not allowed here") { await PrivateNetwork.isPossible() })
        func `garbage on the beacon port leaves the node up`() async throws {
            let network = try await PrivateNetwork(hosts: ["alice", "bob"])
            let alice = try TestNode("Alice", on: network.host("alice"), options: [])
            let bob = try TestNode("Bob", on: network.host("bob"), options: [])
            try await alice.start()
            // To every port a beacon may be expected on, in datagrams of all sizes.
            let flood = """
                for size in 1 8 40 128 129 1400; do
                  for round in 1 2 3 4 5; do head -c $size /dev/urandom >/dev/udp/10.77.0.1/47470; done
                done
                """
            _ = try await network.host("bob").run(["bash", "-c", flood])
            #expect(await alice.isRunning)
            try await bob.start()
            await expectFullMesh([alice, bob])
        }

        /// Whoever may rename what is in a folder could put a home of theirs, or the user's other one, in the place of
        /// a home there.
        @Test(arguments: [
            ["up"], ["up", "--detach"], ["link", "--yes"], ["recover"], ["restore", "backup"],
        ])
        func `where others may write no home is made, opened or written to`(command: [String]) async throws {
            let scratch = try Scratch()
            let home = scratch.file("shared/home")
            let settings = "notify-command = \"touch \(scratch.file("run"))\"\nunknown = 1\n"
            try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
            try Data(settings.utf8).write(to: URL(filePath: home + "/moot.toml"))
            try #require(chmod(scratch.file("shared"), 0o777) == 0)
            let outcome = try await Host.thisMachine.run(
                [TestNode.moot] + command + ["--home", home], environment: ["HOME": scratch.path], input: "")
            #expect(outcome.status != 0)
            #expect(outcome.errors.contains("Others may write to \(scratch.file("shared"))"), "\(outcome.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: home) == ["moot.toml"])
            #expect(!FileManager.default.fileExists(atPath: scratch.file("run")))
        }

        private static func garbage(_ random: inout SeededGenerator) -> [[UInt8]] {
            [
                [],
                [0],
                random.bytes(31),
                random.bytes(70_000),
                [UInt8](repeating: 0, count: 70_000),
                [UInt8](repeating: 0xff, count: 70_000),
                // A frame that announces the largest length and never comes.
                [0xff, 0xff],
                // The right length for the first handshake message, and nothing but noise in it.
                [0, 32] + random.bytes(32),
                Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8),
            ] + (0..<12).map { _ in random.bytes(Int.random(in: 1...2_000, using: &random)) }
        }
    }
}
