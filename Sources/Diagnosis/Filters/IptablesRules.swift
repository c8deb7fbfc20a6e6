/// Reads what `iptables -S` prints: the rules of the filter table for IPv4.
public enum IptablesRules {
    private static let maximumLines = 65_536

    /// The filter of a list of rules.
    public static func filter(_ text: String) -> PacketFilter {
        var filter = PacketFilter()
        for line in text.split(separator: "\n").prefix(maximumLines) {
            let words = line.split(separator: " ").map { String($0) }
            guard words.count > 1 else { continue }
            switch words[0] {
            case "-P":
                let drops = words.count > 2 && words[2] == "DROP"
                filter.chains[words[1], default: .init()].isEntry = words[1] == "INPUT"
                filter.chains[words[1]]?.policy = FilterRule(
                    text: String(line), action: drops ? .drop : .accept)
            case "-N": filter.chains[words[1], default: .init()].isEntry = false
            case "-A": filter.chains[words[1], default: .init()].rules.append(rule(line, words.dropFirst(2)))
            default: continue
            }
        }
        return filter
    }

    private static func rule(_ line: Substring, _ words: ArraySlice<String>) -> FilterRule {
        var rule = FilterRule(text: String(line), action: .pass)
        var rest = words
        var isNegated = false
        while let word = rest.popFirst() {
            defer { isNegated = word == "!" }
            switch word {
            case "!": continue
            case "-p" where !isNegated: rule.transports = rest.popFirst().map(FilterText.transports)
            case "-i": rule.interface = rest.popFirst().map { ($0, isNegated) }
            case "--dport" where !isNegated, "--dports" where !isNegated:
                rule.ports = rest.popFirst().flatMap(FilterText.ports)
            case "--ctstate" where !isNegated, "--state" where !isNegated:
                rule.isForNew = rest.popFirst().map { FilterText.elements($0).contains("NEW") } ?? true
            case "-m":
                // These only announce the conditions that follow them.
                let known = ["tcp", "udp", "multiport", "conntrack", "state", "comment"]
                if let name = rest.popFirst(), !known.contains(name) { rule.isConditional = true }
            case "--comment": skipText(&rest)
            case "-j", "-g":
                rule.action = action(rest.popFirst() ?? "")
                // What follows belongs to the target.
                rest = []
            default: rule.isConditional = true
            }
        }
        return rule
    }

    /// Past a text, which is in quotation marks if it has blanks.
    private static func skipText(_ rest: inout ArraySlice<String>) {
        guard let first = rest.popFirst(), first.hasPrefix("\""), first.count == 1 || !first.hasSuffix("\"") else {
            return
        }
        while let word = rest.popFirst(), !word.hasSuffix("\"") {}
    }

    private static func action(_ target: String) -> FilterRule.Action {
        switch target {
        case "ACCEPT": .accept
        case "DROP", "REJECT": .drop
        case "RETURN": .leave
        case "LOG", "NFLOG", "MARK", "CONNMARK", "": .pass
        default: .jump(target)
        }
    }
}
