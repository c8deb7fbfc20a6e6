import Dispatch
import Glibc

/// A UDP socket that reads small datagrams.
final class DatagramSocket {
    /// How many datagrams one turn of the queue reads.
    private static let maximumPerTurn = 64

    let descriptor: Descriptor
    private let source: any DispatchSourceRead

    /// Opens a socket.
    ///
    /// - Parameters:
    ///   - address: Where to receive; port 0 takes any free one.
    ///   - isShared: Whether other sockets may receive the same multicasts and broadcasts on the port.
    ///   - limit: Longer datagrams are dropped.
    ///   - received: Called on the queue with each datagram and its sender.
    init(
        at address: SocketAddress, isShared: Bool, limit: Int, queue: DispatchQueue,
        received: @escaping ([UInt8], SocketAddress) -> Void
    ) throws(TransportError) {
        let descriptor = try Descriptor(family: address.family, SOCK_DGRAM)
        self.descriptor = descriptor
        if isShared { descriptor.set(Int(SOL_SOCKET), SO_REUSEADDR, to: 1) }
        if address.family == AF_INET6 { descriptor.set(IPPROTO_IPV6, IPV6_V6ONLY, to: 1) }
        guard address.withSockaddr({ bind(descriptor.number, $0, $1) }) == 0 else {
            throw TransportError(errno: errno, of: "bind", on: address)
        }
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor.number, queue: queue)
        source.setEventHandler {
            for _ in 0..<Self.maximumPerTurn {
                // One byte more than is allowed, to tell a datagram of full length from one that was cut.
                var count = -1
                var sender: SocketAddress?
                let bytes = [UInt8](unsafeUninitializedCapacity: limit + 1) { buffer, filled in
                    sender = SocketAddress.reported { address, length in
                        count = recvfrom(descriptor.number, buffer.baseAddress, limit + 1, 0, address, length)
                        return count < 0 ? -1 : 0
                    }
                    filled = max(count, 0)
                }
                if count < 0 {
                    guard errno == EINTR else { return }
                } else if count <= limit, let sender {
                    received(bytes, sender)
                }
            }
        }
        source.setCancelHandler { withExtendedLifetime(descriptor) {} }
        source.activate()
    }

    deinit {
        source.cancel()
    }

    /// Sends a datagram, or reports why it did not leave.
    func send(_ datagram: [UInt8], to address: SocketAddress) throws(TransportError) {
        let sent = address.withSockaddr {
            sendto(descriptor.number, datagram, datagram.count, Int32(MSG_NOSIGNAL), $0, $1)
        }
        guard sent == datagram.count else {
            // A new IPv6 address cannot speak before the system has checked that nobody else has it.
            if errno == EADDRNOTAVAIL { throw .unreachable(address) }
            throw TransportError(errno: errno, of: "sendto", on: address)
        }
    }
}
