import Dispatch
import Glibc

/// Finds the addresses of named hosts without making the caller wait.
public enum NameResolver {
    /// `getaddrinfo` blocks for as long as a name server is silent, so it has a queue, thus a thread, of its own. One
    /// is enough: names are given by hand (`--peer`), and a slow one delays only other names.
    private static let queue = DispatchQueue(label: "moot.names", qos: .utility)

    /// Looks a host up and reports its addresses, best first, on `queue`. Numeric hosts are reported without a look-up.
    ///
    /// - Parameter report: Called once, with at least one address or ``TransportError/nameNotFound(_:)``.
    public static func resolve(
        _ place: HostAndPort, on queue: DispatchQueue,
        report: @escaping @Sendable (Result<[SocketAddress], TransportError>) -> Void
    ) {
        if let address = place.numeric {
            queue.async { report(.success([address])) }
            return
        }
        self.queue.async {
            let addresses = lookUp(place)
            queue.async { report(addresses.isEmpty ? .failure(.nameNotFound(place.host)) : .success(addresses)) }
        }
    }

    private static func lookUp(_ place: HostAndPort) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(place.host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var entry = list
        while let info = entry?.pointee {
            let found = SocketAddress.reported { address, length in
                length.pointee = info.ai_addrlen
                memcpy(address, info.ai_addr, Int(info.ai_addrlen))
                return 0
            }
            if var found, found.host != .anyV4, !addresses.contains(where: { $0.host == found.host }) {
                found.port = place.port
                addresses.append(found)
            }
            entry = info.ai_next
        }
        return addresses
    }
}
