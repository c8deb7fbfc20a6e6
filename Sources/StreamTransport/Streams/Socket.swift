import Glibc

/// One connected TCP socket. It is closed when the last holder lets go of it.
public final class Socket: Sendable {
    /// How many bytes may wait in the kernel unsent before the socket counts as full.
    ///
    /// By default the kernel takes megabytes, and a live message would wait behind all of them. With 128 KiB it waits
    /// about 1 ms on a gigabit link, and the order of what is sent stays ours to decide.
    static let unsentLowWater: Int32 = 128 << 10

    /// The address of the other side.
    public let peer: SocketAddress
    /// What the receiving stream reads and watches.
    let receiving: Descriptor
    /// What the sending stream writes and watches: the same socket under a second number.
    ///
    /// Dispatch on Linux keeps one epoll entry per number. When a read and a write source share it, registering or cancelling
    /// one while the other has just fired can disarm the other for good.
    let sending: Descriptor

    /// Takes over the descriptor of a connection.
    ///
    /// - Throws: ``TransportError/outOfDescriptors``.
    init(_ descriptor: Descriptor, peer: SocketAddress) throws(TransportError) {
        receiving = descriptor
        sending = try descriptor.duplicate()
        self.peer = peer
        descriptor.set(IPPROTO_TCP, TCP_NODELAY, to: 1)
        descriptor.set(IPPROTO_TCP, TCP_NOTSENT_LOWAT, to: Self.unsentLowWater)
    }

    /// The address of this side; nil once the connection broke.
    public var local: SocketAddress? { receiving.localAddress }

    /// Resets the connection now, whoever else holds the socket: what was not sent yet is thrown away, and the peer
    /// learns of it at once.
    func reset() {
        // On Linux, connecting a socket to nothing does this. Lingering for no time would do it only when the last
        // holder lets go.
        var nothing = sockaddr(sa_family: sa_family_t(AF_UNSPEC), sa_data: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        _ = connect(receiving.number, &nothing, socklen_t(MemoryLayout<sockaddr>.size))
    }
}
