import Glibc

/// Where an accepted connection comes from, as limits count it.
public enum ConnectionSource: Hashable, Sendable, CustomStringConvertible {
    /// An account of this host; nil where the kernel does not say which, or nobody has the connection any more. All
    /// addresses of the host are one source, since each of its users can connect from each of them.
    case thisHost(account: UInt32?)
    /// Another host, by the address that it used.
    case host(IPAddress)

    /// The source of a connection from an address.
    ///
    /// - Parameter local: this process's end.
    /// - Complexity: about 20 µs: the kernel is asked.
    public init(of peer: SocketAddress, reaching local: SocketAddress?) {
        guard peer.host.isLoopback || peer.host.isOfThisHost else {
            self = .host(peer.host)
            return
        }
        switch local.map({ ConnectionOwner.find(.init(peer), connectedTo: .init($0)) }) {
        case .user(let account): self = .thisHost(account: account)
        case .nobody, .unknown, nil: self = .thisHost(account: nil)
        }
    }

    /// All sources that may be one: those of an IPv6 network, whose prefix has 64 bits, since any host there may use
    /// any number of addresses; and accounts with numbers above those of people, of which one account can have 65,536
    /// for its containers.
    public var network: ConnectionSource {
        switch self {
        case .host(.v6(let high, _, let scope)): .host(.v6(high: high, low: 0, scope: scope))
        case .thisHost(let account?) where account >= Self.firstSubordinate: .thisHost(account: nil)
        case .thisHost, .host(.v4): self
        }
    }

    /// The address, or the account.
    public var description: String {
        switch self {
        case .thisHost(let account?): "account \(account)"
        case .thisHost(nil): "this host"
        case .host(let address): address.description
        }
    }

    /// The first account number of those that are given away in blocks (`SUB_UID_MIN` of login.defs).
    private static let firstSubordinate: UInt32 = 100_000
}

extension ConnectionOwner.End {
    /// The end that an address names.
    init(_ address: SocketAddress) {
        let bytes =
            switch address.host {
            case .v4(let number): number.bigEndianBytes
            case .v6(let high, let low, _): high.bigEndianBytes + low.bigEndianBytes
            }
        self.init(address: bytes, port: address.port)
    }
}

extension IPAddress {
    /// Whether the system would reach the address from the address itself: it is then one of this host. Nothing is
    /// sent.
    fileprivate var isOfThisHost: Bool {
        let place = SocketAddress(self, port: 9)
        guard let probe = try? Descriptor(family: place.family, SOCK_DGRAM),
            place.withSockaddr({ connect(probe.number, $0, $1) }) == 0
        else { return false }
        return probe.localAddress?.host == self
    }
}
