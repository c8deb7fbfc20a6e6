import Testing
import Waiting

extension Stories {
    @Suite("Partitions", .enabled("network namespaces are not allowed here") { await PrivateNetwork.isPossible() })
    struct Partitions {
        @Test
        func `three hosts find each other, are cut apart, write on, and agree again`() async throws {
            let network = try await PrivateNetwork(hosts: ["alice", "bob", "carol"])
            let (alice, bob, carol) = try await Self.group(on: network)
            try await alice.run("send", ship, "all here")
            try await expectEqualReplicas([alice, bob, carol])

            try await network.disconnect("carol")
            await eventually("Alice notices that Carol is gone", within: .seconds(10)) {
                try await alice.peers() == ["Bob"]
            }
            await eventually("Carol notices that they are alone", within: .seconds(10)) {
                try await carol.peers().isEmpty
            }
            for number in 1...5 {
                try await alice.run("send", ship, "Alice \(number)")
                try await bob.run("send", ship, "Bob \(number)")
                try await carol.run("send", ship, "Carol \(number)")
            }
            #expect(try await carol.texts(in: ship).count == 6)

            try await network.connect("carol")
            let shown = try await expectEqualReplicas([alice, bob, carol], within: .seconds(45))
            #expect(shown.count == 16)
        }

        @Test
        func `a node that has no time stays connected, and is missed once its cable is pulled`() async throws {
            let network = try await PrivateNetwork(hosts: ["alice", "bob", "carol"])
            let (alice, bob, carol) = try await Self.group(on: network)

            await bob.freeze()
            try await Task.sleep(for: .seconds(8))
            #expect(try await alice.peers() == ["Bob", "Carol"], "the kernel of Bob's host acknowledges")
            await bob.thaw()
            try await alice.run("send", ship, "Bob, are you there?")
            try await expectEqualReplicas([alice, bob, carol])

            await bob.freeze()
            try await Task.sleep(for: .seconds(6))
            #expect(try await alice.peers() == ["Bob", "Carol"])
            try await network.disconnect("bob")
            await eventually("Alice notices that Bob is gone", within: .seconds(7)) {
                try await alice.peers() == ["Carol"]
            }
            await bob.thaw()
        }

        @Test
        func `a node killed while it is cut off brings what it wrote when it is back`() async throws {
            let network = try await PrivateNetwork(hosts: ["alice", "bob", "carol"])
            let (alice, bob, carol) = try await Self.group(on: network)

            try await network.disconnect("carol")
            try await carol.run("send", ship, "my last words")
            await carol.kill()
            try await network.connect("carol")
            try await carol.start()
            let shown = try await expectEqualReplicas([alice, bob, carol], within: .seconds(45))
            #expect(shown.map(\.text) == ["my last words"])
        }

        /// Three hosts with a group of all.
        private static func group(on network: PrivateNetwork) async throws -> (TestNode, TestNode, TestNode) {
            let alice = try TestNode("Alice", on: network.host("alice"), options: [])
            let bob = try TestNode("Bob", on: network.host("bob"), options: [])
            let carol = try TestNode("Carol", on: network.host("carol"), options: [])
            for node in [alice, bob, carol] { try await node.start() }
            await expectFullMesh([alice, bob, carol])
            try await makeGroup(alice, [bob, carol])
            return (alice, bob, carol)
        }
    }
}
