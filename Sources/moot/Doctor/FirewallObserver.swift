import Diagnosis

/// Asks the firewall of this host for its rules, by the commands that it has.
struct FirewallObserver {
    /// What was found.
    private(set) var observation = FirewallObservation()
    /// What could not be looked at.
    private(set) var unseen: [String] = []

    /// Looks.
    init() {
        readRules()
        readZone()
        if case .printed(let text) = ReadOnlyCommand.run("ufw", "status"), text.contains("Status: active") {
            observation.manager = .ufw
        }
    }

    private mutating func readRules() {
        switch ReadOnlyCommand.run("nft", "list", "ruleset") {
        case .printed(let text):
            observation.manager = .nftables
            observation.filters.append(NftablesRuleset.filter(text))
        case .refused: unseen.append("The rules of nftables: sudo nft list ruleset shows them.")
        case .missing: break
        }
        switch ReadOnlyCommand.run("iptables", "-S") {
        case .printed(let text):
            let filter = IptablesRules.filter(text)
            // Where both are there, one often stands for the other.
            if observation.filters.isEmpty { observation.manager = .iptables }
            observation.filters.append(filter)
        case .refused: unseen.append("The rules of iptables: sudo iptables -S shows them.")
        case .missing: break
        }
    }

    private mutating func readZone() {
        guard case .printed(let state) = ReadOnlyCommand.run("firewall-cmd", "--state"), state.hasPrefix("running")
        else { return }
        observation.manager = .firewalld
        // A line without a blank in front names a zone in which an interface is.
        guard case .printed(let zones) = ReadOnlyCommand.run("firewall-cmd", "--get-active-zones"),
            case let names = zones.split(separator: "\n").filter({ $0.first?.isWhitespace == false }),
            let name = names.first?.split(separator: " ").first, names.count == 1,
            case .printed(let text) = ReadOnlyCommand.run("firewall-cmd", "--zone=\(name)", "--list-all")
        else {
            unseen.append("The zones of firewalld: sudo firewall-cmd --list-all-zones shows them.")
            return
        }
        observation.zone = FirewalldZone(text)
    }
}
