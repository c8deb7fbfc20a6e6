/// What the firewall of a host says of itself, as far as this user may read it.
public struct FirewallObservation: Hashable, Sendable {
    /// What people manage it with.
    public enum Manager: String, Hashable, Sendable {
        case ufw
        case firewalld
        case nftables
        case iptables
    }

    /// What manages it; nil where that is not known.
    public var manager: Manager?
    /// What the zone of firewalld lets in; nil where it does not run.
    public var zone: FirewalldZone?

    /// Describes a firewall.
    public init(manager: Manager? = nil, zone: FirewalldZone? = nil) {
        self.manager = manager
        self.zone = zone
    }
}
