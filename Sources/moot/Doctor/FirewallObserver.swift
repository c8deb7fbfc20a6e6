import Diagnosis

/// Asks what manages the firewall of this host, by the commands that it has.
struct FirewallObserver {
    /// What was found.
    private(set) var observation = FirewallObservation()
    /// What could not be looked at.
    private(set) var unseen: [String] = []

    /// Looks.
    init() {
        lookForRules()
        readZone()
        if case .printed(let text) = ReadOnlyCommand.run("ufw", ["status"]), text.contains("Status: active") {
            observation.manager = .ufw
        }
    }

    /// Sees which rules there are. They are not read: mostly only root may, and what they drop does not come back to
    /// the doctor either, but for what they let a host say to itself.
    private mutating func lookForRules() {
        for (program, arguments, manager) in [
            ("nft", ["list", "ruleset"], FirewallObservation.Manager.nftables), ("iptables", ["-S"], .iptables),
        ] where observation.manager == nil {
            let outcome = ReadOnlyCommand.run(program, arguments)
            guard outcome != .missing, outcome != .printed("") else { continue }
            observation.manager = manager
            unseen.append("The rules of \(program): sudo \(([program] + arguments).joined(separator: " ")) shows them.")
        }
    }

    private mutating func readZone() {
        guard case .printed(let state) = ReadOnlyCommand.run("firewall-cmd", ["--state"]), state.hasPrefix("running")
        else { return }
        observation.manager = .firewalld
        // A line without a blank in front names a zone in which an interface is.
        guard case .printed(let zones) = ReadOnlyCommand.run("firewall-cmd", ["--get-active-zones"]),
            case let names = zones.split(separator: "\n").filter({ $0.first?.isWhitespace == false }),
            let name = names.first?.split(separator: " ").first, names.count == 1,
            case .printed(let text) = ReadOnlyCommand.run("firewall-cmd", ["--zone=\(name)", "--list-all"])
        else {
            unseen.append("The zones of firewalld: sudo firewall-cmd --list-all-zones shows them.")
            return
        }
        observation.zone = FirewalldZone(text)
    }
}
