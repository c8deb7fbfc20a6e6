/// What a packet is as far as rules of a firewall look at it: a new connection, or a datagram, that comes in.
struct FilteredPacket: Hashable, Sendable {
    let transport: Transport
    let port: UInt16
    let interface: String
}

/// What carries a packet.
public enum Transport: String, Hashable, Sendable {
    case tcp
    case udp
}

/// One rule of a firewall, as far as it could be read.
public struct FilterRule: Hashable, Sendable {
    /// Whether a condition holds for a packet.
    enum Match: Hashable, Sendable {
        case yes
        case no
        /// It depends on something that this does not look at.
        case maybe
    }

    /// What happens to a packet that it is for.
    enum Action: Hashable, Sendable {
        case accept
        case drop
        case jump(String)
        /// Back to the chain that led here.
        case leave
        /// The rule only counts, logs or marks.
        case pass
    }

    /// The rule as the system wrote it.
    public let text: String
    /// Nil for every transport.
    var transports: Set<Transport>?
    /// Nil for every port.
    var ports: [ClosedRange<UInt16>]?
    /// The only interface it is for, or one it is not for.
    var interface: (name: String, isExcluded: Bool)?
    /// Whether it is for new connections.
    var isForNew = true
    /// Whether it has conditions that this does not look at.
    var isConditional = false
    var action: Action

    /// Whether the rule is for a packet.
    func match(_ packet: FilteredPacket) -> Match {
        guard isForNew, transports?.contains(packet.transport) ?? true,
            ports.map({ $0.contains { $0.contains(packet.port) } }) ?? true
        else { return .no }
        if let interface {
            let isSame = interface.name == packet.interface
            guard isSame != interface.isExcluded else { return .no }
        }
        return isConditional ? .maybe : .yes
    }

    /// Whether both are the same rule.
    public static func == (left: FilterRule, right: FilterRule) -> Bool {
        left.text == right.text && left.action == right.action
    }

    /// Hashes the text, which tells rules apart.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// The chains of rules that an incoming packet passes through.
public struct PacketFilter: Hashable, Sendable {
    /// What a filter does with a packet.
    enum Verdict: Hashable, Sendable {
        case accept
        /// It is dropped or rejected, for certain, by this rule.
        case drop(FilterRule)
        /// It depends on something that this does not look at.
        case uncertain
    }

    /// Rules that are tried one after the other.
    struct Chain: Hashable, Sendable {
        var rules: [FilterRule] = []
        /// What happens at its end, if incoming packets begin here; nil for a chain that others jump to.
        var policy: FilterRule?
        var isEntry = false
    }

    /// Chains that lead to each other without end are followed so far.
    private static let maximumDepth = 16

    var chains: [String: Chain] = [:]

    /// What happens to a packet. What all chains let through is accepted.
    func verdict(on packet: FilteredPacket) -> Verdict {
        var isCertain = true
        for (name, chain) in chains.sorted(by: { $0.key < $1.key }) where chain.isEntry {
            switch follow(name, packet, depth: 0) {
            case .decided(.drop(let rule)): return .drop(rule)
            case .decided(.uncertain), .unclear: isCertain = false
            case .decided(.accept): break
            case .passed:
                if let policy = chain.policy, policy.action == .drop { return .drop(policy) }
            }
        }
        return isCertain ? .accept : .uncertain
    }

    /// Where a packet is after a chain.
    private enum Passage {
        case decided(Verdict)
        case passed
        /// A rule that may be for it came before one that is.
        case unclear
    }

    private func follow(_ name: String, _ packet: FilteredPacket, depth: Int) -> Passage {
        guard depth < Self.maximumDepth, let chain = chains[name] else { return .unclear }
        for rule in chain.rules {
            let match = rule.match(packet)
            guard match != .no, rule.action != .pass else { continue }
            switch (match, rule.action) {
            case (.maybe, _): return .unclear
            case (_, .accept): return .decided(.accept)
            case (_, .drop): return .decided(.drop(rule))
            case (_, .leave): return .passed
            case (_, .jump(let next)):
                switch follow(next, packet, depth: depth + 1) {
                case .passed: continue
                case let other: return other
                }
            case (_, .pass): continue
            }
        }
        return .passed
    }
}
