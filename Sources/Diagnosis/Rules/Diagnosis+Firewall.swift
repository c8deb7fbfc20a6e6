extension Diagnosis {
    /// What the zone of firewalld turns away; rules that are not read show themselves by what does not come back.
    var firewallFindings: [Finding] {
        [
            finding(.firewallDropsTCP, .tcp, port: listenPort, "Others cannot connect to this node."),
            finding(
                .firewallDropsUDP, .udp, port: host.sockets.beaconPort,
                "The node does not hear the beacons of others, so it does not find them by itself."),
        ].compactMap { $0 }
    }

    /// Whether packets are known to be turned away.
    func isDropped(_ transport: Transport, port: UInt16) -> Bool {
        host.firewall.zone.map { !$0.lets(transport, port: port) } ?? false
    }

    private func finding(
        _ code: Finding.Code, _ transport: Transport, port: UInt16, _ meaning: String
    ) -> Finding? {
        guard let zone = host.firewall.zone, isDropped(transport, port: port) else { return nil }
        let name = "\(transport.rawValue.uppercased()) port \(port)"
        return Finding(
            code, about: name, measured: "The zone \(zone.name) of firewalld does not let \(name) in.",
            meaning: meaning,
            remedy: letIn(transport, port: port))
    }

    /// The command that lets packets to a port in.
    func letIn(_ transport: Transport, port: UInt16) -> String {
        let kind = transport.rawValue
        switch host.firewall.manager {
        case .ufw: return "sudo ufw allow \(port)/\(kind)"
        case .firewalld: return "sudo firewall-cmd --permanent --add-port=\(port)/\(kind); sudo firewall-cmd --reload"
        case .iptables: return "sudo iptables -I INPUT -p \(kind) --dport \(port) -j ACCEPT"
        case .nftables, nil: return "sudo nft insert rule inet filter input \(kind) dport \(port) accept"
        }
    }
}
