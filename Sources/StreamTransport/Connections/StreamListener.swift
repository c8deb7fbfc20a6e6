import Dispatch
import Glibc

/// Accepts TCP connections.
///
/// It accepts while it exists and until ``stop()``. It makes no thread and holds no accepted connection.
public final class StreamListener: Sendable {
    /// What a listener tells.
    public enum Event: Sendable {
        /// A peer connected. Whoever takes the socket releases the slot when the handshake is over.
        case accepted(Socket, HalfOpenSlot)
        /// A peer connected and was turned away, because too many have not proved who they are.
        case turnedAway(SocketAddress, HalfOpenLimit.Refusal)
        /// A peer that had been accepted and has not proved who it is lost its place to another, and its connection is
        /// over.
        case displaced(SocketAddress)
        /// No connection can be accepted for the moment; those that come wait in the system. It goes on by itself.
        case paused(TransportError)
    }

    /// Where it listens, with the port that the system chose if it was asked to.
    public let address: SocketAddress
    private let acceptor: QueueConfined<Acceptor>

    /// Listens on an address of this host.
    ///
    /// - Parameters:
    ///   - address: Where to listen. `[::]` takes IPv4 connections too, and is `0.0.0.0` on a host without IPv6. Port 0
    ///     takes any free one.
    ///   - queue: A serial queue, on which the handler is called.
    ///   - limit: How many connections may wait for their peers to prove who they are.
    ///   - handler: Called with each event.
    /// - Throws: ``TransportError/portInUse(_:)``, ``TransportError/addressUnavailable(_:)``,
    ///   ``TransportError/permissionDenied(_:)``, or what else the system says.
    public convenience init(
        at address: SocketAddress, queue: DispatchQueue, limit: HalfOpenLimit = HalfOpenLimit(),
        handler: @escaping @Sendable (Event) -> Void
    ) throws(TransportError) {
        try self.init(at: address, queue: queue, sharing: SharedHalfOpenLimit(limit), handler: handler)
    }

    init(
        at address: SocketAddress, queue: DispatchQueue, sharing limit: SharedHalfOpenLimit,
        handler: @escaping @Sendable (Event) -> Void
    ) throws(TransportError) {
        let descriptor = try Self.listen(at: address)
        self.address = descriptor.localAddress ?? address
        let acceptor = QueueConfined(Acceptor(descriptor, queue: queue, limit: limit, handler: handler), on: queue)
        self.acceptor = acceptor
        acceptor.later { $0.start() }
    }

    /// Stops accepting; the port is free a moment later. Accepted connections live on.
    public func stop() {
        acceptor.later { $0.stop() }
    }

    private static func listen(at address: SocketAddress) throws(TransportError) -> Descriptor {
        let descriptor: Descriptor
        do {
            descriptor = try Descriptor(family: address.family, SOCK_STREAM)
        } catch .failed(_, EAFNOSUPPORT) where address.host == .anyV6 {
            return try listen(at: SocketAddress(.anyV4, port: address.port))
        }
        // Without this a node could not come back to its port while old connections are in TIME_WAIT.
        descriptor.set(Int(SOL_SOCKET), SO_REUSEADDR, to: 1)
        if address.family == AF_INET6 {
            descriptor.set(IPPROTO_IPV6, IPV6_V6ONLY, to: address.host == .anyV6 ? 0 : 1)
        }
        guard address.withSockaddr({ bind(descriptor.number, $0, $1) }) == 0 else {
            throw TransportError(errno: errno, of: "bind", on: address)
        }
        guard Glibc.listen(descriptor.number, SOMAXCONN) == 0 else {
            throw TransportError(errno: errno, of: "listen", on: address)
        }
        return descriptor
    }
}
