extension Diagnosis {
    /// Beacons that were sent here and did not come back.
    var beaconFindings: [Finding] {
        guard !isDropped(.udp, port: host.sockets.beaconPort) else { return [] }
        // Tunnels carry no multicast, mostly, and nobody is found through them.
        return host.networks.interfaces.filter { !$0.isLoopback && !Self.isVirtual($0.name) }
            .compactMap(beaconNotHeard)
    }

    /// Whether beacons are known not to come in on any interface.
    var areBeaconsLost: Bool {
        let sent = host.networks.beacons
        return isDropped(.udp, port: host.sockets.beaconPort) || host.sockets.beaconHolder != .nobody
            || !sent.isEmpty && !sent.contains { $0.outcome == .heard }
    }

    private func beaconNotHeard(_ interface: NetworkObservation.Interface) -> Finding? {
        let sent = beacons(on: interface.name)
        let lost = sent.filter { $0.outcome == .lost }
        let refused = sent.compactMap { beacon -> String? in
            guard case .refused(let reason) = beacon.outcome else { return nil }
            return "\(beacon.way): \(reason)"
        }
        guard !lost.isEmpty || !refused.isEmpty else { return nil }
        let isHeard = sent.contains { $0.outcome == .heard }
        let back = lost.isEmpty ? [] : ["Beacons sent by \(lost.map(\.way).joined(separator: ", ")) did not come back."]
        return Finding(
            .beaconNotHeard, isHeard ? .note : .problem, about: interface.name,
            measured: (["On \(interface.name):"] + back + refused).joined(separator: " "),
            meaning: isHeard
                ? "One way of beacons is closed; the others are open and are enough."
                : "A firewall of this host turns UDP port \(host.sockets.beaconPort) away: it hears nobody's beacons.",
            remedy: letIn(.udp, port: host.sockets.beaconPort))
    }
}
