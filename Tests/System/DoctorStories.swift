import Foundation
import Testing
import Waiting

extension Stories {
    /// Faults that are planted, and what the doctor makes of each: that finding, and no other.
    @Suite("The doctor", .enabled("network namespaces are not allowed here") { await PrivateNetwork.isPossible() })
    struct DoctorVisits {
        /// What the doctor says.
        private struct Report: Decodable {
            struct Finding: Decodable {
                let code: String
                let severity: String
                let measured: String
                let remedy: String
            }

            let healthy: Bool
            let node: Bool
            let findings: [Finding]
        }

        private static let hasNftables = ["/usr/sbin/nft", "/sbin/nft"].contains {
            FileManager.default.isExecutableFile(atPath: $0)
        }

        /// Lets the doctor look at a host whose clock is kept right.
        private static func visit(
            _ node: TestNode, with person: String? = nil, clockKept: Bool = true,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws -> Report {
            let clock = try await Interposed("KeptClock")
            let environment = clock.environment.merging(["MOOT_CLOCK_KEPT": clockKept ? "1" : "0"]) { $1 }
            let command = ["doctor", "--json"] + (person.map { ["--with", $0] } ?? [])
            let outcome = try await node.outcome(command, environment: environment)
            let report: Report = try node.decode(outcome.output)
            #expect(
                outcome.status == (report.healthy ? 0 : 1), "\(outcome.output)\(outcome.errors)",
                sourceLocation: sourceLocation)
            return report
        }

        /// Expects exactly these findings.
        @discardableResult
        private static func expect(
            _ codes: [String], at node: TestNode, with person: String? = nil, clockKept: Bool = true,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws -> Report {
            let report = try await visit(node, with: person, clockKept: clockKept, sourceLocation: sourceLocation)
            #expect(report.findings.map(\.code) == codes, "\(report.findings)", sourceLocation: sourceLocation)
            return report
        }

        @Test
        func `nothing is found on a healthy network, with a node and without, within five seconds`() async throws {
            let network = try await PrivateNetwork(hosts: ["alice", "bob"])
            let (alice, bob) = try await Self.pair(on: network)
            let start = ContinuousClock.now
            let report = try await Self.expect([], at: alice)
            #expect(report.node && start.duration(to: .now) < .seconds(5).scaled)
            try await Self.expect([], at: bob)
            let words = try await alice.outcome(["doctor"])
            #expect(words.output.contains("No problem was found."), "\(words.output)")
            await bob.stop()
            #expect(try await !Self.expect([], at: bob).node)
            await alice.stop()
        }

        @Test
        func `faults of a host are named without a node`() async throws {
            let network = try await PrivateNetwork(hosts: ["alice", "bob", "carol", "dave"])
            let nowhere = try TestNode("Nowhere", on: network.loopback)
            try await Self.expect(["no_interface"], at: nowhere)

            let host = try TestNode("Alice", on: network.host("alice"))
            try await Self.expect(["clock_unsynchronized"], at: host, clockKept: false)
            try await network.run(
                "ip", "-n", "alice", "-6", "route", "del", "multicast", "ff00::/8", "dev", "eth0", "table", "local")
            try await Self.expect(["no_multicast_route"], at: host)

            let own = try TestNode("Bob", on: network.host("bob"))
            try await network.run(
                "ip", "-n", "bob", "address", "replace", "169.254.3.4/16", "broadcast", "+", "dev", "eth0")
            try await network.run("ip", "-n", "bob", "address", "del", "10.77.0.2/24", "dev", "eth0")
            try await Self.expect(["link_local_only"], at: own)

            let old = try TestNode("Carol", on: network.host("carol"))
            try await network.run("ip", "netns", "exec", "carol", "sysctl", "-qw", "net.ipv6.conf.all.disable_ipv6=1")
            try await Self.expect(["ipv6_disabled"], at: old)

            let tunnel = try TestNode("Dave", on: network.host("dave"))
            try await network.run("ip", "-n", "dave", "link", "add", "tun0", "type", "veth", "peer", "name", "tun1")
            try await network.run("ip", "-n", "dave", "link", "set", "tun0", "up")
            try await network.run("ip", "-n", "dave", "link", "set", "tun1", "up")
            try await network.run("ip", "-n", "dave", "route", "add", "239.0.0.0/8", "dev", "tun0")
            try await Self.expect(["multicast_taken"], at: tunnel)
        }

        @Test
        func `faults of the disk and of limits are named`() async throws {
            let network = try await PrivateNetwork(hosts: ["alice"])
            let host = network.host("alice")
            let open = try TestNode("Alice", on: host)
            try FileManager.default.createDirectory(
                atPath: open.home, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
            try await Self.expect(["home_permissions"], at: open)

            let disk = try await network.smallDisk(megabytes: 4)
            let full = try TestNode("Bob", on: host, home: disk)
            try await Self.expect(["disk_full"], at: full)
            try await network.run("mount", "-o", "remount,ro", disk)
            try await Self.expect(["home_read_only"], at: full)

            let limited = Host(entering: host.entering + ["prlimit", "--nofile=256:256"])
            try await Self.expect(["few_descriptors"], at: TestNode("Carol", on: limited))
        }

        @Test
        func `a port that others have, and a node that only its own host reaches, are named`() async throws {
            let network = try await PrivateNetwork(hosts: ["alice", "bob"])
            let first = try TestNode("First", on: network.host("alice"), options: [])
            try await first.start()
            let second = try TestNode("Second", on: network.host("alice"))
            let report = try await Self.expect(["port_taken"], at: second)
            #expect(report.findings.first?.measured.contains("moot (process ") == true, "\(report.findings)")
            await first.freeze()
            let silent = try await first.outcome(["doctor"])
            #expect(silent.status == 2 && silent.output.contains("does not answer"), "\(silent.output)")
            await first.thaw()
            await first.stop()

            let hidden = try TestNode("Hidden", on: network.host("bob"), options: ["--listen", "127.0.0.1:0"])
            try await hidden.start()
            try await Self.expect(["loopback_only"], at: hidden)
            await hidden.stop()
        }

        @Test
        func `hosts of two subnets, clients kept apart, and places where nobody is, are named`() async throws {
            async let other: Void = Self.otherSubnet()
            async let apart: Void = Self.keptApart()
            let network = try await PrivateNetwork(hosts: ["alice"])
            let alice = try TestNode("Alice", on: network.host("alice"), options: [])
            try await alice.start(peerAddresses: ["10.77.0.9:47470"])
            let report = try await Self.expect(["place_not_reached"], at: alice)
            #expect(report.findings.first?.severity == "problem", "\(report.findings)")
            await alice.stop()
            _ = try await (other, apart)
        }

        @Test
        func `a network that loses large packets is named, and one that carries no beacons`() async throws {
            async let silent: Void = Self.withoutBeacons()
            let network = try await PrivateNetwork(hosts: ["alice", "bob"])
            for host in ["alice", "bob"] {
                try await network.run(
                    "ip", "netns", "exec", host, "sysctl", "-qw", "net.ipv4.ping_group_range=0 2147483647")
            }
            let (alice, bob) = try await Self.pair(on: network)
            try await Self.expect([], at: alice)
            try await network.run("ip", "-n", "lan", "link", "set", "bob", "mtu", "1300")
            try await Self.expect(["large_packets_lost"], at: alice)
            for node in [alice, bob] { await node.stop() }
            try await silent
        }

        @Test(.enabled("nftables is not installed here") { hasNftables })
        func `rules that drop packets are named, and the port that lets them in`() async throws {
            let network = try await PrivateNetwork(hosts: ["alice", "bob"])
            let (alice, bob) = try await Self.pair(on: network)
            for (host, node, rule, code) in [
                ("alice", alice, "tcp dport 47470 drop", "own_port_filtered"),
                ("bob", bob, "udp dport 47474 drop", "beacon_not_heard"),
            ] {
                for command in [
                    "add table inet filter",
                    "add chain inet filter input { type filter hook input priority 0; policy accept; }",
                    "add rule inet filter input \(rule)",
                ] {
                    try await network.run("ip", "netns", "exec", host, "nft", command)
                }
                let report = try await Self.expect([code], at: node)
                #expect(report.findings.first?.remedy.contains("nft insert rule inet filter input") == true)
            }
            for node in [alice, bob] { await node.stop() }
        }

        // MARK: - Both ends

        @Test
        func `both ends of a healthy pair find nothing, and who is away, silent or unknown is named`() async throws {
            let network = try await PrivateNetwork(hosts: ["alice", "bob", "carol"])
            let (alice, bob) = try await Self.pair(on: network)
            let carol = try TestNode("Carol", on: network.host("carol"), options: [])
            try await carol.start()
            await expectFullMesh([alice, bob, carol])
            // A beacon was heard by then, if any is.
            try await Task.sleep(for: .seconds(5.5))
            try await Self.expect([], at: alice, with: "Bob")
            let words = try await alice.outcome(["doctor", "--with", "Bob"])
            #expect(words.output.contains("reached this node at"), "\(words.output)")
            try await Self.expect(["no_shared_conversation"], at: alice, with: "Carol")
            let nobody = try await alice.outcome(["doctor", "--with", "Nobody"])
            #expect(nobody.status == 2 && nobody.errors.contains("unknown_person"), "\(nobody.errors)")
            // Whoever took no part in what Alice began tells them nothing yet.
            try await alice.run("direct", "Carol")
            try await alice.run("send", "Carol", "hello")
            try await Self.expect(["peer_silent"], at: alice, with: "Carol")
            await bob.stop()
            let gone = try await Self.visit(alice, with: "Bob")
            #expect(gone.findings.contains { $0.code == "peer_not_connected" }, "\(gone.findings)")
            for node in [alice, carol] { await node.stop() }
            let alone = try await alice.outcome(["doctor", "--with", "Bob"])
            #expect(alone.status == 2, "\(alone.output)\(alone.errors)")
        }

        @Test
        func `what only the other end sees is named: a closed port, beacons that go one way, a clock`()
            async throws
        {
            async let deaf: Void = Self.beaconsOneWay()
            async let late: Void = Self.clocksApart()
            let network = try await PrivateNetwork(hosts: ["alice", "bob"])
            // Nothing of Bob's host gets to the port of Alice's node: only Alice can begin a connection.
            try await Self.useOnlyIPv4(network)
            try await network.run(
                "ip", "-n", "bob", "rule", "add", "to", "10.77.0.1", "ipproto", "tcp", "dport", "47470", "unreachable")
            let (alice, bob) = try await Self.pair(on: network)
            let report = try await Self.expect(["not_reached_by_peer"], at: alice, with: "Bob")
            let finding = try #require(report.findings.first)
            #expect(finding.measured.contains("10.77.0.1:47470"), "\(finding)")
            #expect(finding.remedy.contains("47470"), "\(finding)")
            try await Self.expect([], at: bob, with: "Alice")
            for node in [alice, bob] { await node.stop() }
            _ = try await (deaf, late)
        }

        private static func useOnlyIPv4(_ network: PrivateNetwork) async throws {
            for host in ["alice", "bob"] {
                try await network.run("ip", "-n", host, "-6", "address", "flush", "dev", "eth0")
            }
        }

        private static func beaconsOneWay() async throws {
            let network = try await PrivateNetwork(hosts: ["alice", "bob"])
            try await useOnlyIPv4(network)
            // As a switch that passes on to Bob nothing that is for all. So Alice must know where Bob's host is.
            try await network.run("ip", "-n", "lan", "link", "set", "bridge", "type", "bridge", "mcast_snooping", "0")
            try await network.run(
                "ip", "netns", "exec", "lan", "bridge", "link", "set", "dev", "bob", "mcast_flood", "off",
                "bcast_flood", "off")
            let address = try await network.host("bob").run(["cat", "/sys/class/net/eth0/address"]).output
            try await network.run(
                "ip", "-n", "alice", "neigh", "replace", "10.77.0.2", "lladdr",
                address.trimmingCharacters(in: .whitespacesAndNewlines), "dev", "eth0", "nud", "permanent")
            // A beacon that is answered goes to one host.
            try await network.run(
                "ip", "-n", "alice", "rule", "add", "to", "10.77.0.2", "ipproto", "udp", "unreachable")
            let (alice, bob) = try await pair(on: network)
            try await Task.sleep(for: .seconds(5.5))
            try await expect(["beacons_not_heard_by_peer"], at: alice, with: "Bob")
            for node in [alice, bob] { await node.stop() }
        }

        private static func clocksApart() async throws {
            let network = try await PrivateNetwork(hosts: ["alice", "bob"])
            let clock = try WallClock(try await Interposed("ShiftClock"))
            try clock.set(ahead: .seconds(180))
            let (alice, bob) = try await pair(on: network, environment: clock.environment)
            let report = try await expect(["clock_differs"], at: alice, with: "Bob")
            #expect(report.findings.first?.measured.contains("ahead of this host's") == true, "\(report.findings)")
            for node in [alice, bob] { await node.stop() }
        }

        // MARK: - Faults between nodes

        /// Two nodes that found each other and have something to talk about.
        ///
        /// - Parameter environment: of Bob's process.
        private static func pair(
            on network: PrivateNetwork, environment: [String: String] = [:]
        ) async throws -> (TestNode, TestNode) {
            let alice = try TestNode("Alice", on: network.host("alice"), options: [])
            let bob = try TestNode("Bob", on: network.host("bob"), options: [])
            try await alice.start()
            try await bob.start(environment: environment)
            await expectFullMesh([alice, bob])
            try await bob.run("direct", "Alice")
            try await alice.run("direct", "Bob")
            try await alice.run("send", "Bob", "hello")
            await eventually("Bob hears it") { try await !bob.texts(in: "Alice").isEmpty }
            return (alice, bob)
        }

        private static func otherSubnet() async throws {
            let network = try await PrivateNetwork(hosts: ["alice", "bob"])
            try await network.run(
                "ip", "-n", "bob", "address", "replace", "10.78.0.2/24", "broadcast", "+", "dev", "eth0")
            try await network.run("ip", "-n", "bob", "address", "del", "10.77.0.2/24", "dev", "eth0")
            // By IPv6 they would reach each other all the same.
            for host in ["alice", "bob"] {
                try await network.run("ip", "-n", host, "-6", "address", "flush", "dev", "eth0")
            }
            try await find(["other_subnet"], on: network)
        }

        private static func keptApart() async throws {
            let network = try await PrivateNetwork(hosts: ["alice", "bob"])
            // As an access point that isolates its clients: what goes to all arrives, what goes to one does not.
            for (host, other) in [("alice", "bob"), ("bob", "alice")] {
                let address = try await network.host(host).run(["cat", "/sys/class/net/eth0/address"]).output
                try await network.run(
                    "ip", "netns", "exec", "lan", "bridge", "fdb", "replace",
                    address.trimmingCharacters(in: .whitespacesAndNewlines), "dev", other, "master", "static", "sticky")
            }
            try await find(["seen_not_reached"], on: network)
        }

        /// Starts two nodes that cannot meet, and expects what Alice's doctor finds once Bob's beacon was heard.
        private static func find(_ codes: [String], on network: PrivateNetwork) async throws {
            let alice = try TestNode("Alice", on: network.host("alice"), options: [])
            let bob = try TestNode("Bob", on: network.host("bob"), options: [])
            for node in [alice, bob] { try await node.start() }
            await eventually("the doctor finds something") { try await !visit(alice).findings.isEmpty }
            let report = try await visit(alice)
            // By IPv4 and by IPv6 the same is found.
            #expect(Set(report.findings.map(\.code)) == Set(codes), "\(report.findings)")
            for node in [alice, bob] { await node.stop() }
        }

        private static func withoutBeacons() async throws {
            let network = try await PrivateNetwork(hosts: ["alice", "bob"])
            let alice = try TestNode("Alice", on: network.host("alice"), options: [])
            let bob = try TestNode("Bob", on: network.host("bob"), options: ["--no-discovery"])
            try await alice.start()
            try await bob.start(peerAddresses: ["10.77.0.1:47470"])
            await expectFullMesh([alice, bob])
            try await Task.sleep(for: .seconds(5.5))
            try await expect(["reached_not_seen"], at: alice)
            for node in [alice, bob] { await node.stop() }
        }
    }
}
