import Testing

@testable import Diagnosis

@Suite("Findings of a doctor")
struct FindingTests {
    private typealias Fault = Healthy

    @Test
    func `a healthy host and node have none`() {
        #expect(Healthy().findings.isEmpty)
        var unasked = Healthy()
        unasked.counterpart = nil
        #expect(unasked.findings.isEmpty)
        var alone = Healthy()
        alone.node = nil
        alone.counterpart = nil
        #expect(alone.findings.isEmpty)
    }

    /// Each fault of a healthy host, with the one finding that it gives.
    private static let faults: [(Finding.Code, @Sendable (inout Healthy) -> Void)] = [
        (
            .portTaken,
            {
                $0.node = nil
                $0.counterpart = nil
                $0.host.sockets.holder = .other(process: 4_711, program: "nc")
            }
        ),
        (.loopbackOnly, { $0.node?.listening = ["127.0.0.1:47470", "[::1]:47470"] }),
        (.beaconPortTaken, { $0.host.sockets.beaconHolder = .other(process: nil, program: nil) }),
        (.ownPortFiltered, { $0.host.sockets.ownDials = [.init(address: "10.77.0.1:47470", failure: "No answer.")] }),
        (.ipv6Disabled, { $0.host.sockets.isIPv6Disabled = true }),
        (.noInterface, { $0.host.networks = .init(interfaces: [Healthy.loopback], routes: [], beacons: []) }),
        (
            .noMulticastRoute,
            { $0.host.networks.beacons[2] = .init(interface: "eth0", way: "IPv6 multicast", outcome: .noRoute) }
        ),
        (
            .multicastTaken,
            {
                $0.host.networks.routes.append(
                    .init(destination: IPv4Prefix(0xEF00_0000, length: 8), interface: "tun0"))
            }
        ),
        (
            .linkLocalOnly,
            {
                $0.host.networks.interfaces[1] = .init(
                    name: "eth0", isLoopback: false, networks: [IPv4Prefix(0xA9FE_0102, length: 16)],
                    hasRoutableAddress: false)
            }
        ),
        (.firewallDropsTCP, { $0.host.firewall.zone = Healthy.zone(open: "47474/udp") }),
        (.firewallDropsUDP, { $0.host.firewall.zone = Healthy.zone(open: "47470/tcp") }),
        (
            .firewallDropsUDP,
            {
                // What the rule explains is not told a second time.
                $0.host.firewall.zone = Healthy.zone(open: "47470/tcp")
                $0.host.networks.beacons = Healthy.beacons(.lost)
            }
        ),
        (.beaconNotHeard, { $0.host.networks.beacons = Healthy.beacons(.lost) }),
        (.beaconNotHeard, { $0.host.networks.beacons = Healthy.beacons(.refused("The system does not permit it.")) }),
        (
            .nobodyFound,
            {
                $0.counterpart = nil
                $0.node?.peers = []
                $0.node?.heardDevices = 0
            }
        ),
        (
            .otherSubnet,
            { $0.node?.places = [Healthy.place("10.78.0.2:47470", heard: 3, probe: .unreachable, ipv4: 0x0A4E_0002)] }
        ),
        (
            .seenNotReached,
            { $0.node?.places = [Healthy.place("10.77.0.2:47470", heard: 3, probe: .timedOut, ipv4: 0x0A4D_0002)] }
        ),
        (
            .reachedNotSeen,
            { $0.node?.peers = [Healthy.peer(beacon: nil)] }
        ),
        (
            .placeNotReached,
            { $0.node?.places = [Healthy.place("10.77.0.9:47470", named: true, probe: .timedOut, ipv4: 0x0A4D_0009)] }
        ),
        (.placeNotReached, { $0.node?.places = [Healthy.place("nohost.invalid:47470", named: true, probe: .noName)] }),
        (
            .wrongDevice,
            {
                $0.node?.places = [
                    Healthy.place("10.77.0.3:47470", named: true, error: "wrong_device", probe: .accepted)
                ]
            }
        ),
        (
            .otherVersion,
            {
                $0.node?.places = [
                    Healthy.place("10.77.0.3:47470", named: true, error: "bad_handshake", probe: .accepted)
                ]
            }
        ),
        (.slowPeer, { $0.node?.peers = [Healthy.peer(roundTrip: 1_500)] }),
        (.clockDiffers, { $0.node?.clocks = [.init(name: "Dave", secondsAhead: -18_000)] }),
        (.largePacketsLost, { $0.node?.peers = [Healthy.peer(echo: .largeLost(bytes: 1_500))] }),
        (.noSharedConversation, { $0.counterpart?.sharesConversation = false }),
        (
            .peerNotConnected,
            {
                $0.counterpart?.nodes = []
                $0.node?.peers = []
                $0.node?.heardDevices = 0
            }
        ),
        (
            // Where they are said to be, that says more.
            .seenNotReached,
            {
                $0.counterpart?.nodes = []
                $0.node?.peers = []
                $0.node?.places = [Healthy.place("10.77.0.2:47470", of: "Bob", heard: 3, probe: .timedOut)]
            }
        ),
        (.peerSilent, { $0.counterpart?.nodes = [.init(peer: Healthy.peer(), answer: nil)] }),
        (.notReachedByPeer, { $0.counterpart = Healthy.counterpart(dialBack: .failed("no answer came in time")) }),
        (
            .notReachedByPeer,
            {
                $0.node?.listening = ["10.77.0.5:47470"]
                $0.counterpart = Healthy.counterpart(dialBack: .failed("nobody listens there"))
            }
        ),
        (
            // The rule that explains it is told alone.
            .firewallDropsTCP,
            {
                $0.host.firewall.zone = Healthy.zone(open: "47474/udp")
                $0.counterpart = Healthy.counterpart(dialBack: .failed("no answer came in time"))
            }
        ),
        (.beaconsNotHeardByPeer, { $0.counterpart = Healthy.counterpart(beacon: nil) }),
        (.beaconsNotHeardByPeer, { $0.counterpart = Healthy.counterpart(beacon: 600) }),
        (.peerHearsNoBeacons, { $0.counterpart = Healthy.counterpart(beacon: nil, ownBeacon: nil) }),
        (
            // Beacons that are lost both ways are told once.
            .reachedNotSeen,
            {
                $0.node?.peers = [Healthy.peer(beacon: nil)]
                $0.counterpart = Healthy.counterpart(peer: Healthy.peer(beacon: nil), beacon: nil)
            }
        ),
        (.clockDiffers, { $0.counterpart = Healthy.counterpart(clock: 121) }),
        (
            .clockDiffers,
            {
                // Messages told of it, too.
                $0.node?.clocks = [.init(name: "Bob", secondsAhead: -18_000)]
                $0.counterpart = Healthy.counterpart(clock: -18_000)
            }
        ),
        (.programDiffers, { $0.counterpart = Healthy.counterpart(version: "0.0.9") }),
        (.diskFull, { $0.host.home.freeBytes = 0 }),
        (.inodesLow, { $0.host.home.freeInodes = 3 }),
        (.homeReadOnly, { $0.host.home.isReadOnly = true }),
        (.homePermissions, { $0.host.home.permissions = 0o755 }),
        (.slowDisk, { $0.host.home.flushMilliseconds = 900 }),
        (.fewDescriptors, { $0.host.machine.descriptorLimit = 256 }),
        (.lowMemory, { $0.host.machine.availableMemory = 1 << 20 }),
        (.clockUnsynchronized, { $0.host.machine.isClockSynchronized = false }),
        (.networkFileSystem, { $0.host.home.networkFileSystem = "nfs4" }),
        (.homeCopied, { $0.node?.replica.forks = ["Alice"] }),
        (.storageFails, { $0.node?.replica.storageProblem = "The disk is full." }),
        (.gap, { $0.node?.replica.conversations = [Healthy.conversation(gaps: ["not here yet: Bob can fill it"])] }),
        (.pending, { $0.node?.replica.conversations = [Healthy.conversation(pending: 4)] }),
        (.banned, { $0.node?.bans = [.init(name: "Eve", device: "abcdef", secondsLeft: 300)] }),
        (.keysMissing, { $0.node?.replica.conversations = [Healthy.conversation(missingKeys: 1)] }),
    ]

    @Test
    func `each fault gives the finding that names it, and no other`() {
        for (code, plant) in Self.faults {
            var host = Healthy()
            plant(&host)
            let found = host.findings
            #expect(found.map(\.code) == [code])
            for finding in found {
                #expect(!finding.measured.isEmpty && !finding.meaning.isEmpty && !finding.remedy.isEmpty, "\(code)")
            }
        }
        #expect(Set(Self.faults.map(\.0)) == Set(Finding.Code.allCases), "a fault for every finding")
    }

    @Test
    func `what is harmless is none`() {
        // Somebody was stopped whose place others told of.
        var heardOnce = Healthy()
        heardOnce.node?.places = [Healthy.place("10.77.0.2:47470", heard: 400, probe: .timedOut)]
        #expect(heardOnce.findings.isEmpty)
        // The default route leads to a VPN.
        var tunnel = Healthy()
        tunnel.host.networks.routes.append(.init(destination: IPv4Prefix(0, length: 0), interface: "tun0"))
        #expect(tunnel.findings.isEmpty)
        // Containers: cables and bridges of their own, of which some carry nothing.
        var containers = Healthy()
        containers.host.networks.interfaces.append(
            .init(name: "veth12ab", isLoopback: false, networks: [], hasRoutableAddress: false))
        containers.host.networks.beacons += [
            .init(interface: "veth12ab", way: "IPv6 multicast", outcome: .noRoute),
            .init(interface: "veth12ab", way: "broadcast", outcome: .lost),
        ]
        #expect(containers.findings.isEmpty)
        // Nodes with nothing in common part, and hear each other all the same.
        var parted = Healthy()
        parted.node?.peers = []
        #expect(parted.findings.isEmpty)
        // A peer beyond a router sends no beacons here.
        var routed = Healthy()
        routed.node?.peers = [Healthy.peer(beacon: nil, isNeighbor: false)]
        #expect(routed.findings.isEmpty)
        // Somebody who was asked too often dials nobody back, and a clock is never quite that of another.
        var hurried = Healthy()
        hurried.counterpart = Healthy.counterpart(dialBack: .notTried, clock: -119)
        #expect(hurried.findings.isEmpty)
        // Nothing of a network stands between two nodes of one host.
        var near = Healthy()
        near.counterpart = Healthy.counterpart(
            peer: Healthy.peer(isOnThisHost: true), dialBack: .failed("no answer came in time"))
        #expect(near.findings.isEmpty)
        // A peer without discovery hears nobody, and one beyond a router hears no beacons of this network.
        var deaf = Healthy()
        deaf.counterpart = Healthy.counterpart(beacon: nil, ownBeacon: nil, discovers: false)
        #expect(deaf.findings.isEmpty)
        deaf.counterpart = Healthy.counterpart(peer: Healthy.peer(isNeighbor: false), beacon: nil)
        #expect(deaf.findings.isEmpty)
        // What waits comes while it is fetched.
        var pulling = Healthy()
        pulling.node?.replica.conversations = [Healthy.conversation(pending: 4, isPulling: true)]
        #expect(pulling.findings.isEmpty)
    }

    @Test
    func `no firewall is blamed where the node does not listen`() {
        for (listening, dialed, remedy) in [
            ("10.77.0.5:47470", "10.77.0.1:47470", "moot down; moot up --listen 0.0.0.0:47470"),
            ("0.0.0.0:47470", "[fd00::1]:47470", "moot down; moot up --listen '[::]:47470'"),
            ("[fd00::2]:47470", "10.77.0.1:47470", "moot down; moot up --listen 0.0.0.0:47470"),
        ] {
            var host = Healthy()
            host.node?.listening = [listening]
            host.counterpart = Healthy.counterpart(address: dialed, dialBack: .failed("nobody listens there"))
            #expect(host.findings.map(\.code) == [.notReachedByPeer] && host.findings.first?.remedy == remedy)
            #expect(host.findings.first?.meaning.contains("listens on \(listening) only") == true)
        }
        for (listening, dialed) in [
            ("10.77.0.1:47470", "10.77.0.1:47470"), ("0.0.0.0:47470", "10.77.0.1:47470"),
            ("[::]:47470", "10.77.0.1:47470"), ("[::]:47470", "[fd00::1]:47470"),
        ] {
            var host = Healthy()
            host.node?.listening = [listening]
            host.counterpart = Healthy.counterpart(address: dialed, dialBack: .failed("no answer came in time"))
            #expect(host.findings.first?.meaning.contains("firewall") == true, "\(listening) \(dialed)")
        }
    }

    @Test
    func `what a peer says is in no command`() {
        let address = "10.77.0.1$(reboot):1\nreboot"
        for (dialBack, beacon) in [
            (CounterpartObservation.Answer.DialBack.failed("reboot"), 9.0), (.accepted, nil),
        ] as [(CounterpartObservation.Answer.DialBack, Double?)] {
            var host = Healthy()
            host.counterpart = Healthy.counterpart(
                address: address, dialBack: dialBack, beacon: beacon, version: "reboot")
            #expect(!host.findings.isEmpty)
            for finding in host.findings { #expect(!finding.remedy.contains("reboot"), "\(finding)") }
        }
    }

    @Test
    func `a peer that says nothing is no fault`() {
        var host = Healthy()
        host.counterpart?.nodes = [.init(peer: Healthy.peer(), answer: nil)]
        #expect(host.findings.map(\.severity) == [.note])
    }

    @Test
    func `problems stand before notes`() {
        var host = Healthy()
        host.host.sockets.isIPv6Disabled = true
        host.host.home.freeBytes = 0
        #expect(host.findings.map(\.severity) == [.problem, .note])
        #expect(host.findings.map(\.code.rawValue) == ["disk_full", "ipv6_disabled"])
    }
}

/// A host on which everything is well, with a node that has found another.
struct Healthy {
    static let loopback = NetworkObservation.Interface(
        name: "lo", isLoopback: true, networks: [IPv4Prefix(0x7F00_0001, length: 8)], hasRoutableAddress: true)

    var host = HostObservation(
        sockets: .init(
            listenPort: 47_470, holder: .node, beaconPort: 47_474, beaconHolder: .nobody, isIPv6Disabled: false,
            ownDials: [.init(address: "10.77.0.1:47470", failure: nil)]),
        networks: .init(
            interfaces: [
                loopback,
                .init(
                    name: "eth0", isLoopback: false, networks: [IPv4Prefix(0x0A4D_0001, length: 24)],
                    hasRoutableAddress: true),
            ], routes: [.init(destination: IPv4Prefix(0x0A4D_0000, length: 24), interface: "eth0")],
            beacons: beacons(.heard)),
        firewall: .init(),
        home: .init(
            folder: "/home/alice/.local/share/moot", freeBytes: 1 << 40, freeInodes: 1 << 20, isReadOnly: false,
            permissions: 0o700, isOwn: true, flushMilliseconds: 2, networkFileSystem: nil),
        machine: .init(descriptorLimit: 8_192, availableMemory: 1 << 32, isClockSynchronized: true))

    var node: NodeObservation? = NodeObservation(
        listening: ["[::]:47470"], discovers: true, uptimeSeconds: 60, peers: [peer()], places: [], heardDevices: 1,
        bans: [], clocks: [],
        replica: .init(storageProblem: nil, forks: [], conversations: [conversation()]))

    /// Bob's node, which was asked and sees nothing wrong.
    var counterpart: CounterpartObservation? = counterpart()

    var findings: [Finding] { Diagnosis(host: host, node: node, counterpart: counterpart).findings }

    static func counterpart(
        peer: NodeObservation.Peer = peer(), address: String = "10.77.0.1:47470",
        dialBack: CounterpartObservation.Answer.DialBack = .accepted, beacon: Double? = 9, ownBeacon: Double? = 11,
        discovers: Bool = true, clock: Double = 0.2,
        version: String = "0.1.0"
    ) -> CounterpartObservation {
        let answer = CounterpartObservation.Answer(
            version: version, clockSecondsAhead: clock, address: address, dialBack: dialBack,
            discovers: discovers, ownBeaconSeconds: ownBeacon, beaconSeconds: beacon, failedDials: [])
        return .init(
            name: "Bob", shellName: "Bob", sharesConversation: true, nodes: [.init(peer: peer, answer: answer)],
            ownVersion: "0.1.0")
    }

    static func beacons(_ outcome: NetworkObservation.Beacon.Outcome) -> [NetworkObservation.Beacon] {
        ["IPv4 multicast", "broadcast", "IPv6 multicast"].map {
            .init(interface: "eth0", way: $0, outcome: outcome)
        }
    }

    static func peer(
        beacon: Double? = 12, roundTrip: Double = 1, echo: NodeObservation.Peer.Echo? = .answered,
        isOnThisHost: Bool = false, isNeighbor: Bool = true
    ) -> NodeObservation.Peer {
        .init(
            name: "Bob", address: "10.77.0.2:47470", isOnThisHost: isOnThisHost, isNeighbor: isNeighbor,
            connectedSeconds: 30, roundTripMilliseconds: roundTrip, beaconSeconds: beacon, echo: echo)
    }

    static func place(
        _ address: String, of name: String? = nil, heard: Double? = nil, named: Bool = false,
        error: String? = "timed_out", probe: NodeObservation.Place.Probe, ipv4: UInt32? = nil
    ) -> NodeObservation.Place {
        .init(
            address: address, name: name, isNamed: named, failures: 3, errorCode: error, error: error,
            beaconSeconds: heard, probe: probe, ipv4: ipv4)
    }

    static func conversation(
        gaps: [String] = [], pending: Int = 0, isPulling: Bool = false, missingKeys: Int = 0
    ) -> ReplicaObservation.Conversation {
        .init(title: "Ship", gaps: gaps, pending: pending, isPulling: isPulling, missingKeys: missingKeys)
    }

    static func zone(open port: String) -> FirewalldZone? {
        FirewalldZone("public\n  target: default\n  ports: \(port)\n")
    }
}
