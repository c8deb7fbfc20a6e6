import Replication

/// Where the other end of a connection or the sender of a datagram is.
public struct Endpoint: Hashable, Sendable, CustomStringConvertible {
    /// The host, as it is written before a port: an IPv6 address in brackets.
    public let host: String
    /// The port.
    public let port: UInt16

    /// Names an endpoint.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// `host:port`.
    public var description: String { "\(host):\(port)" }

    /// Whether it is on this host.
    var isLoopback: Bool { LocalAddress.isLoopback(host) }

    /// Another port of the same host.
    func with(port: UInt16) -> Endpoint { Endpoint(host: host, port: port) }
}
