extension Diagnosis {
    /// Networks that are not there, or lead elsewhere.
    var networkFindings: [Finding] {
        let others = host.networks.interfaces.filter { !$0.isLoopback }
        guard !others.isEmpty else {
            return [
                Finding(
                    .noInterface, about: "interfaces",
                    measured: "No interface but loopback is up and has an address.",
                    meaning: "This host is on no network.", remedy: "ip address; sudo ip link set eth0 up")
            ]
        }
        // Bridges and cables of containers have only addresses that they gave themselves, and need no others.
        let isConnected = others.contains(where: \.hasRoutableAddress)
        return others.filter { !Self.isVirtual($0.name) }.compactMap(noMulticastRoute)
            + [multicastTaken].compactMap { $0 } + (isConnected ? [] : others.prefix(1).map(linkLocalOnly))
    }

    /// The beacons that were sent on an interface.
    func beacons(on interface: String) -> [NetworkObservation.Beacon] {
        host.networks.beacons.filter { $0.interface == interface }
    }

    private func noMulticastRoute(_ interface: NetworkObservation.Interface) -> Finding? {
        let sent = beacons(on: interface.name)
        let missing = sent.filter { $0.outcome == .noRoute }
        guard let first = missing.first else { return nil }
        let group = first.way.contains("IPv6") ? "-6 route add multicast ff00::/8" : "route add 239.0.0.0/8"
        let table = first.way.contains("IPv6") ? " table local" : ""
        return Finding(
            .noMulticastRoute, sent.contains { $0.outcome == .heard } ? .note : .problem, about: interface.name,
            measured: "There is no route for \(missing.map(\.way).joined(separator: " and ")) on \(interface.name).",
            meaning: "Beacons do not leave this host by that way.",
            remedy: "sudo ip \(group) dev \(interface.name)\(table)")
    }

    /// The IPv4 group of beacons.
    private static let group: UInt32 = 0xEF4D_4F54

    private var multicastTaken: Finding? {
        // A default route takes everything, and says nothing.
        guard
            let route = host.networks.routes.first(where: {
                $0.destination.length >= 4 && $0.destination.contains(Self.group) && Self.isVirtual($0.interface)
            })
        else { return nil }
        return Finding(
            .multicastTaken, .note, about: route.interface,
            measured: "A route sends \(route.destination) to \(route.interface).",
            meaning:
                "A VPN or the bridge of containers takes multicast. Moot sends beacons on every interface by name all the same; other programs do not.",
            remedy: "sudo ip route del \(route.destination) dev \(route.interface)")
    }

    /// Whether an interface is one of a VPN, or of containers, by what such programs call theirs.
    static func isVirtual(_ name: String) -> Bool {
        [
            "veth", "tun", "tap", "wg", "ppp", "docker", "br-", "podman", "cni", "virbr", "lxc", "lxdbr", "tailscale",
            "zt",
        ]
        .contains { name.hasPrefix($0) }
    }

    private func linkLocalOnly(_ interface: NetworkObservation.Interface) -> Finding {
        Finding(
            .linkLocalOnly, .note, about: interface.name,
            measured: "\(interface.name) has only addresses that it gave itself (169.254.0.0/16 or fe80::).",
            meaning: "No router gave it an address: it reaches hosts of the same cable or Wi-Fi, and nobody else.",
            remedy: "sudo dhclient \(interface.name), or: nmcli device connect \(interface.name)")
    }
}
