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
    /// The connection itself.
    let descriptor: Descriptor
    /// Readable while there is something to read.
    let readable: Descriptor
    /// Readable while there is room to write.
    let writable: Descriptor

    /// Takes over the descriptor of a connection.
    ///
    /// - Throws: ``TransportError/outOfDescriptors``.
    init(_ descriptor: Descriptor, peer: SocketAddress) throws(TransportError) {
        self.descriptor = descriptor
        readable = try Readiness.toRead(descriptor)
        writable = try Readiness.toWrite(descriptor)
        self.peer = peer
        descriptor.set(IPPROTO_TCP, TCP_NODELAY, to: 1)
        descriptor.set(IPPROTO_TCP, TCP_NOTSENT_LOWAT, to: Self.unsentLowWater)
    }

    /// The address of this side; nil once the connection broke.
    public var local: SocketAddress? { descriptor.localAddress }

    /// Whether the other host acknowledges what it is sent: no retransmission timeout has passed since it last did.
    ///
    /// While its receive window is closed it is probed more and more seldom. Linux answers one probe in half a second,
    /// so one may be unanswered.
    var isAcknowledged: Bool {
        var info = tcp_info()
        var length = socklen_t(MemoryLayout<tcp_info>.size)
        guard getsockopt(descriptor.number, Int32(IPPROTO_TCP), TCP_INFO, &info, &length) == 0 else { return false }
        return info.tcpi_state == TCP_ESTABLISHED && info.tcpi_retransmits == 0 && info.tcpi_probes <= 1
    }

    /// Resets the connection now, whoever else holds the socket: what was not sent yet is thrown away, and the peer
    /// learns of it at once.
    func reset() {
        // On Linux, connecting a socket to nothing does this. Lingering for no time would do it only when the last
        // holder lets go.
        var nothing = sockaddr(sa_family: sa_family_t(AF_UNSPEC), sa_data: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        _ = connect(descriptor.number, &nothing, socklen_t(MemoryLayout<sockaddr>.size))
    }
}
