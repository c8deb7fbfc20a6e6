import Glibc

/// Where an accepted connection comes from, as limits count it.
public enum ConnectionSource: Hashable, Sendable {
    /// This host. All its addresses are one source, since every user of it can connect from each of them.
    case thisHost
    /// Another host, by the address that it used.
    case host(IPAddress)

    /// The source of a connection from an address.
    public init(_ address: IPAddress) {
        self = address.isLoopback || address.isOfThisHost ? .thisHost : .host(address)
    }

    /// All sources that may be one host: those of an IPv6 network, whose prefix has 64 bits. Any host there may use any number of addresses.
    var network: ConnectionSource {
        switch self {
        case .host(.v6(let high, _, let scope)): .host(.v6(high: high, low: 0, scope: scope))
        case .thisHost, .host(.v4): self
        }
    }
}

extension IPAddress {
    /// Whether the system would reach the address from the address itself: it is then one of this host. Nothing is sent.
    fileprivate var isOfThisHost: Bool {
        let place = SocketAddress(self, port: 9)
        guard let probe = try? Descriptor(family: place.family, SOCK_DGRAM),
            place.withSockaddr({ connect(probe.number, $0, $1) }) == 0
        else { return false }
        return probe.localAddress?.host == self
    }
}
