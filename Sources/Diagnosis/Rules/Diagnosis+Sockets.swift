extension Diagnosis {
    /// Ports that the node cannot have, or cannot be reached at.
    var socketFindings: [Finding] {
        [portTaken, loopbackOnly, beaconPortTaken, ownPortFiltered, ipv6Disabled].compactMap { $0 }
    }

    private var portTaken: Finding? {
        guard node == nil, case .other(let process, let program) = host.sockets.holder else { return nil }
        let elsewhere = "moot up --listen 0.0.0.0:\(listenPort &+ 1)"
        // A node of another user or home is as good as this one, and nothing to end.
        let ending = program == "moot" ? "moot doctor as its user and with its --home" : process.map { "kill \($0)" }
        return Finding(
            .portTaken, about: "TCP port \(listenPort)",
            measured: "\(Self.words(process, program)) listens on TCP port \(listenPort).",
            meaning: "Your node cannot start on the port where others look for it.",
            remedy: ending.map { "\($0), or: \(elsewhere)" } ?? elsewhere)
    }

    private var loopbackOnly: Finding? {
        guard let node, !node.listening.isEmpty, node.listening.allSatisfy(Self.isLoopback) else { return nil }
        return Finding(
            .loopbackOnly, about: "TCP port \(listenPort)",
            measured: "The node listens on \(node.listening.joined(separator: ", ")) only.",
            meaning: "Only programs of this host can reach it.",
            remedy: "moot down; moot up --listen 0.0.0.0:\(listenPort)")
    }

    private var beaconPortTaken: Finding? {
        guard case .other(let process, let program) = host.sockets.beaconHolder else { return nil }
        let port = host.sockets.beaconPort
        return Finding(
            .beaconPortTaken, about: "UDP port \(port)",
            measured: "\(Self.words(process, program)) has UDP port \(port) and does not share it.",
            meaning: "The node hears no beacons, so it does not find others by itself.",
            remedy: process.map { "kill \($0); moot down; moot up" } ?? "moot up --peer HOST:PORT")
    }

    private var ownPortFiltered: Finding? {
        guard let node, !node.listening.allSatisfy(Self.isLoopback), !isDropped(.tcp, port: listenPort),
            let dial = host.sockets.ownDials.first(where: { $0.failure != nil })
        else { return nil }
        return Finding(
            .ownPortFiltered, about: "TCP port \(listenPort)",
            measured: "Dialing this host's own \(dial.address) failed: \(dial.failure ?? "")",
            meaning:
                "The node listens there, and something on this host keeps connections from it: a firewall, mostly.",
            remedy: letIn(.tcp, port: listenPort))
    }

    private var ipv6Disabled: Finding? {
        guard host.sockets.isIPv6Disabled == true else { return nil }
        return Finding(
            .ipv6Disabled, .note, about: "IPv6", measured: "IPv6 is switched off on this host.",
            meaning: "Nodes find each other by IPv4 alone, so both hosts need an address in one IPv4 network.",
            remedy: "sudo sysctl net.ipv6.conf.all.disable_ipv6=0")
    }

    private static func words(_ process: Int32?, _ program: String?) -> String {
        guard let process else { return "A process of another user" }
        return "\(program ?? "A program") (process \(process))"
    }

    /// Whether an address as a node prints it leads nowhere but to this host.
    static func isLoopback(_ address: String) -> Bool { address.hasPrefix("127.") || address.hasPrefix("[::1]") }
}
