import Foundation
import Testing

extension Stories {
    /// Hosts that several people share, and hosts where nobody looks at what a node says.
    @Suite("Hosts", .enabled("network namespaces are not allowed here") { await PrivateNetwork.isPossible() })
    struct Hosts {
        @Test
        func `two people of one host find each other, each with a home, a socket and a port of their own`() async throws
        {
            let network = try await PrivateNetwork(hosts: ["ship"])
            let alice = try TestNode("Alice", on: network.host("ship"), options: [])
            let bob = try TestNode("Bob", on: network.host("ship"), options: [])
            try await alice.start()
            let refused = try await bob.launch([]).ended()
            #expect(refused.status == 75 && refused.errors.contains("port_in_use"), "\(refused.errors)")
            #expect(refused.errors.contains("another port"), "\(refused.errors)")
            try Data("listen = \"0.0.0.0:47471\"\n".utf8).write(to: URL(filePath: "\(bob.home)/moot.toml"))
            try await bob.start()
            await expectFullMesh([alice, bob])
            let sockets = [try await alice.run("status", "--socket"), try await bob.run("status", "--socket")]
            #expect(Set(sockets).count == 2)
            for node in [alice, bob] { await node.stop() }
        }

        @Test
        func `a node that starts before the network finds the others once it is there`() async throws {
            let network = try await PrivateNetwork(hosts: ["alice", "bob"])
            let alice = try TestNode("Alice", on: network.host("alice"), options: [])
            let bob = try TestNode("Bob", on: network.host("bob"), options: [])
            try await network.disconnect("alice")
            for node in [alice, bob] { try await node.start() }
            #expect(try await alice.peers().isEmpty)
            try await network.connect("alice")
            await expectFullMesh([alice, bob])
            for node in [alice, bob] { await node.stop() }
        }

        @Test
        func `a node whose disk is read-only refuses to start, and says why`() async throws {
            let machine = try await PrivateNetwork()
            let disk = try await machine.smallDisk(megabytes: 24)
            let alice = try TestNode("Alice", on: machine.loopback, home: "\(disk)/home")
            try await alice.start()
            await alice.stop()
            try await machine.run("mount", "-o", "remount,ro", disk)
            let refused = try await alice.launch(TestNode.loopback + ["--no-input"]).ended()
            #expect(refused.status == 77 && refused.errors.contains("permission_denied"), "\(refused.errors)")
            #expect(refused.errors.lowercased().contains("read-only"), "\(refused.errors)")
            try await machine.run("mount", "-o", "remount,rw", disk)
            try await alice.start()
            await alice.stop()
        }
    }
}
