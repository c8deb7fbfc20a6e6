/// Reads what `nft list ruleset` prints, as far as it says what becomes of an incoming packet.
///
/// The language is larger than what is read here. A condition that is not known makes its rule one that may match, and then
/// nothing is concluded from what follows.
public enum NftablesRuleset {
    private static let maximumLines = 65_536

    /// The filter of a ruleset: chains for IPv4, or for both, at the hook for packets to this host.
    public static func filter(_ text: String) -> PacketFilter {
        var filter = PacketFilter()
        var table: String?
        var chain: String?
        for line in text.split(separator: "\n").prefix(maximumLines) {
            var words = Words(line)
            switch words.first {
            case "table":
                let family = words.all.dropFirst().first ?? ""
                table = ["ip", "inet"].contains(family) ? words.all.dropFirst().prefix(2).joined(separator: " ") : nil
                chain = nil
            case "chain":
                chain = table.flatMap { table in words.all.dropFirst().first.map { "\(table) \($0)" } }
                if let chain { filter.chains[chain] = .init() }
            case "}": chain = nil
            case "set", "map", "flowtable", "elements": chain = nil
            case "type" where chain != nil:
                guard let name = chain else { continue }
                filter.chains[name]?.isEntry = words.all.contains("hook") && words.all.contains("input")
                let drops = line.contains("policy drop")
                filter.chains[name]?.policy = FilterRule(
                    text: "the policy of chain \(name)", action: drops ? .drop : .accept)
            case .some:
                guard let name = chain, let table else { continue }
                filter.chains[name]?.rules.append(words.rule(line, in: table))
            case nil: continue
            }
        }
        return filter
    }

    /// The words of a line, read from left to right.
    private struct Words {
        let all: [String]
        private var index = 0

        init(_ line: Substring) {
            // A set is one word, with what is in it.
            var words: [String] = []
            var word = ""
            var isQuoted = false
            var depth = 0
            for character in line {
                if character == "\"" { isQuoted.toggle() }
                if !isQuoted, character == "{" { depth += 1 }
                if !isQuoted, character == "}", depth > 0 { depth -= 1 }
                if !isQuoted, depth == 0, character == " " || character == "\t" {
                    if !word.isEmpty { words.append(word) }
                    word = ""
                } else {
                    word.append(character)
                }
            }
            if !word.isEmpty { words.append(word) }
            all = words
        }

        var first: String? { all.first }

        private mutating func next() -> String? {
            guard index < all.count else { return nil }
            defer { index += 1 }
            return all[index]
        }

        mutating func rule(_ line: Substring, in table: String) -> FilterRule {
            var rule = FilterRule(text: line.trimmed, action: .pass)
            while let word = next() {
                switch word {
                case "tcp", "udp", "th": readPort(of: word, into: &rule)
                case "meta": readMeta(into: &rule)
                case "ip": readProtocol(after: "protocol", into: &rule)
                case "iif", "iifname": readInterface(into: &rule)
                case "ct": readState(into: &rule)
                case "counter":
                    while index + 1 < all.count, ["packets", "bytes"].contains(all[index]) { index += 2 }
                case "comment", "log": if word == "log" { index = skipLog() } else { index += 1 }
                case "accept": rule.action = .accept
                case "drop": rule.action = .drop
                case "reject":
                    rule.action = .drop
                    index = all.count
                case "return": rule.action = .leave
                case "continue": rule.action = .pass
                case "jump", "goto": rule.action = next().map { .jump("\(table) \($0)") } ?? .pass
                default: rule.isConditional = true
                }
            }
            return rule
        }

        private mutating func readPort(of transport: String, into rule: inout FilterRule) {
            if let transport = Transport(rawValue: transport) { rule.transports = [transport] }
            guard next() == "dport", let value = next(), let ports = FilterText.ports(value) else {
                rule.isConditional = true
                return
            }
            rule.ports = ports
        }

        private mutating func readMeta(into rule: inout FilterRule) {
            switch next() {
            case "l4proto": readTransports(into: &rule)
            case "iif", "iifname": readInterface(into: &rule)
            default: rule.isConditional = true
            }
        }

        private mutating func readProtocol(after name: String, into rule: inout FilterRule) {
            if next() == name { readTransports(into: &rule) } else { rule.isConditional = true }
        }

        private mutating func readTransports(into rule: inout FilterRule) {
            guard let value = next(), value != "!=" else {
                rule.isConditional = true
                return
            }
            rule.transports = FilterText.transports(value)
        }

        private mutating func readInterface(into rule: inout FilterRule) {
            guard var name = next() else { return }
            let isExcluded = name == "!="
            if isExcluded { name = next() ?? "" }
            name = name.filter { $0 != "\"" }
            // A set, or a name that ends with a star, is not looked into.
            if name.contains("{") || name.contains("*") { rule.isConditional = true }
            rule.interface = (name, isExcluded)
        }

        private mutating func readState(into rule: inout FilterRule) {
            guard next() == "state", var value = next() else {
                rule.isConditional = true
                return
            }
            if value == "vmap" {
                value = next() ?? ""
                rule.isConditional = true
            }
            rule.isForNew = FilterText.elements(value).contains { $0.hasPrefix("new") }
        }

        /// Past what belongs to a log statement.
        private func skipLog() -> Int {
            var place = index
            while place + 1 < all.count, ["prefix", "level", "group", "flags"].contains(all[place]) { place += 2 }
            return place
        }
    }
}
