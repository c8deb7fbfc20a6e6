/// A way by which a datagram reaches every node of a network.
public enum BeaconWay: String, Hashable, Sendable, CaseIterable {
    case multicastV4 = "IPv4 multicast"
    case broadcast = "broadcast"
    case multicastV6 = "IPv6 multicast"
}
