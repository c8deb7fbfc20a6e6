import Dispatch
import Glibc

/// Tells when an interface or an address of this host comes or goes.
///
/// The kernel says so over a netlink socket; nothing is polled. What exactly changed is not read: whoever is told looks
/// at the interfaces anew.
final class InterfaceWatch {
    /// `sockaddr_nl` of `linux/netlink.h`, which Glibc does not bring along.
    private struct NetlinkAddress {
        var family = UInt16(AF_NETLINK)
        var padding: UInt16 = 0
        /// 0 lets the kernel choose.
        var port: UInt32 = 0
        var groups: UInt32
    }

    /// Links come and go (1), IPv4 addresses (0x10), IPv6 addresses (0x100); of `linux/rtnetlink.h`.
    private static let groups: UInt32 = 0x1 | 0x10 | 0x100
    private static let routingProtocol: Int32 = 0

    private let source: any DispatchSourceRead

    /// Watches until it is let go of.
    ///
    /// - Parameter changed: Called on the queue.
    /// - Throws: What the system says where netlink is not allowed, for example in some containers.
    init(queue: DispatchQueue, changed: @escaping () -> Void) throws(TransportError) {
        let descriptor = try Descriptor(family: AF_NETLINK, SOCK_RAW, protocol: Self.routingProtocol)
        var address = NetlinkAddress(groups: Self.groups)
        let bound = withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                bind(descriptor.number, $0.baseAddress, socklen_t(bytes.count))
            }
        }
        guard bound == 0 else { throw TransportError(errno: errno, of: "bind") }
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor.number, queue: queue)
        source.setEventHandler {
            var buffer = [UInt8](repeating: 0, count: 8192)
            // ENOBUFS says that some messages were lost: the next call goes on after them.
            while recv(descriptor.number, &buffer, buffer.count, 0) > 0 || errno == EINTR || errno == ENOBUFS {}
            changed()
        }
        source.setCancelHandler { withExtendedLifetime(descriptor) {} }
        source.activate()
    }

    deinit {
        source.cancel()
    }
}
