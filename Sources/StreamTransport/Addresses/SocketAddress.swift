import Glibc

/// Where a TCP or UDP socket is: the numeric address of a host and a port.
public struct SocketAddress: Hashable, Sendable {
    /// The host.
    public var host: IPAddress
    /// The port; 0 asks the system for any free one.
    public var port: UInt16

    /// The socket of a port on a host.
    public init(_ host: IPAddress, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Reads `10.0.0.7:47470`, `[fd00::7]:47470` or `[fe80::1%eth0]:47470`; nil for anything else, also for names.
    public init?(_ text: some StringProtocol) {
        guard let named = try? HostAndPort(text), let address = named.numeric else { return nil }
        self = address
    }
}

extension SocketAddress: CustomStringConvertible {
    /// The form that ``init(_:)`` reads.
    public var description: String {
        switch host {
        case .v4: "\(host):\(port)"
        case .v6: "[\(host)]:\(port)"
        }
    }
}

extension SocketAddress {
    /// `AF_INET` or `AF_INET6`.
    var family: Int32 {
        switch host {
        case .v4: AF_INET
        case .v6: AF_INET6
        }
    }

    /// Lets `body` have the address in the form system calls take.
    func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        switch host {
        case .v4(let bits):
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = bits.bigEndian
            return Self.view(&address, body)
        case .v6(_, _, let scope):
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = host.in6
            address.sin6_scope_id = scope
            return Self.view(&address, body)
        }
    }

    private static func view<Address, Result>(
        _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { view in
                guard let base = view.baseAddress else { preconditionFailure("a socket address is not empty") }
                return body(base, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    /// The address in a buffer that a system call filled; nil if it is neither IPv4 nor IPv6.
    init?(_ storage: sockaddr_storage) {
        let address: SocketAddress? = withUnsafeBytes(of: storage) { bytes in
            switch Int32(storage.ss_family) {
            case AF_INET:
                let v4 = bytes.loadUnaligned(as: sockaddr_in.self)
                return SocketAddress(
                    .v4(UInt32(bigEndian: v4.sin_addr.s_addr)), port: UInt16(bigEndian: v4.sin_port))
            case AF_INET6:
                let v6 = bytes.loadUnaligned(as: sockaddr_in6.self)
                return SocketAddress(
                    IPAddress(v6.sin6_addr, scope: v6.sin6_scope_id), port: UInt16(bigEndian: v6.sin6_port))
            default:
                return nil
            }
        }
        guard let address else { return nil }
        self = address
    }

    /// The address that a call such as `getsockname` reports through a buffer; nil if it reports none.
    static func reported(by call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32)
        -> SocketAddress?
    {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutableBytes(of: &storage) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { view in
                guard let base = view.baseAddress else { preconditionFailure("a socket address is not empty") }
                return call(base, &length)
            }
        }
        return result < 0 ? nil : SocketAddress(storage)
    }
}
