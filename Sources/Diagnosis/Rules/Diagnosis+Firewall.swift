extension Diagnosis {
    /// What rules of this host turn away, where they can be read.
    var firewallFindings: [Finding] {
        [
            finding(.firewallDropsTCP, .tcp, port: listenPort, "Others cannot connect to this node."),
            finding(
                .firewallDropsUDP, .udp, port: host.sockets.beaconPort,
                "The node does not hear the beacons of others, so it does not find them by itself."),
        ].compactMap { $0 }
    }

    /// Whether a rule that can be read is known to turn packets away.
    func isDropped(_ transport: Transport, port: UInt16) -> Bool {
        dropping(transport, port: port) != nil || isClosed(transport, port: port)
    }

    private func isClosed(_ transport: Transport, port: UInt16) -> Bool {
        host.firewall.zone.map { !$0.lets(transport, port: port) } ?? false
    }

    private func finding(
        _ code: Finding.Code, _ transport: Transport, port: UInt16, _ meaning: String
    ) -> Finding? {
        let name = "\(transport.rawValue.uppercased()) port \(port)"
        let measured: String
        if let rule = dropping(transport, port: port) {
            measured = "A rule of the firewall turns \(name) away: \(rule.text)"
        } else if let zone = host.firewall.zone, isClosed(transport, port: port) {
            measured = "The zone \(zone.name) of firewalld does not let \(name) in."
        } else {
            return nil
        }
        return Finding(
            code, about: name, measured: measured, meaning: meaning, remedy: letIn(transport, port: port))
    }

    /// The command that lets packets to a port in.
    func letIn(_ transport: Transport, port: UInt16) -> String {
        let kind = transport.rawValue
        switch host.firewall.manager {
        case .ufw: return "sudo ufw allow \(port)/\(kind)"
        case .firewalld: return "sudo firewall-cmd --permanent --add-port=\(port)/\(kind); sudo firewall-cmd --reload"
        case .iptables: return "sudo iptables -I INPUT -p \(kind) --dport \(port) -j ACCEPT"
        case .nftables, nil:
            let place = host.firewall.filters.lazy.flatMap(\.chains).first { $0.value.isEntry }?.key
            return "sudo nft insert rule \(place ?? "inet filter input") \(kind) dport \(port) accept"
        }
    }
}
