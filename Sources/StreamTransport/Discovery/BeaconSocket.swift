import Dispatch
import Replication

/// Sends small datagrams to every node of the local networks, and hears theirs.
///
/// What a beacon says and when it is sent is decided elsewhere; this only moves bytes. Beacons go out by IPv4
/// multicast, IPv6 multicast and subnet broadcast on each usable interface, because each of the three is blocked in
/// some network. A node hears its own beacons too, and may hear one several times.
public final class BeaconSocket: Sendable {
    /// The UDP port beacons are sent to.
    public static let defaultPort: UInt16 = 47474
    /// The IPv4 group of beacons, 239.77.79.84: "MOT" in the range that every organization may use as it likes (RFC
    /// 2365).
    public static let defaultGroupV4 = IPAddress.v4(0xEF4D_4F54)
    /// The IPv6 group of beacons, ff02::4d4f:4f54: "MOOT" on the local link (RFC 4291, section 2.7).
    public static let defaultGroupV6 = IPAddress.v6(high: 0xFF02_0000_0000_0000, low: 0x4D4F_4F54, scope: 0)

    /// Where beacons go.
    public struct Configuration: Hashable, Sendable {
        /// The UDP port; all nodes that are to find each other use the same.
        public var port = BeaconSocket.defaultPort
        /// The IPv4 multicast group.
        public var groupV4 = BeaconSocket.defaultGroupV4
        /// The IPv6 multicast group.
        public var groupV6 = BeaconSocket.defaultGroupV6
        /// Names of the interfaces to use; empty for all.
        public var interfaces: [String] = []
        /// Whether to use the loopback interface too, for nodes of one host.
        public var includesLoopback = false

        /// The usual place, on every usable interface.
        public init() {}
    }

    /// What a beacon socket tells.
    public enum Event: Sendable {
        /// A datagram arrived. An answer to its sender reaches that node only.
        case heard([UInt8], from: SocketAddress)
        /// Interfaces or their addresses changed: it is worth sending a beacon now.
        case interfacesChanged([NetworkInterface])
        /// A program that does not share it has the port: beacons go out, and their answers come back, and no others
        /// are heard until it is free.
        case deaf(TransportError)
        /// A datagram reached nobody on an interface, or did not reach the one it was for.
        case undeliverable(on: String, TransportError)
    }

    private let post: QueueConfined<BeaconTransceiver>

    /// Starts to listen for beacons.
    ///
    /// - Parameters:
    ///   - queue: A serial queue, on which the handler is called.
    ///   - handler: Called with each event.
    /// - Throws: ``TransportError``, what the system says where no datagrams can be sent.
    public init(
        _ configuration: Configuration = Configuration(), queue: DispatchQueue,
        handler: @escaping @Sendable (Event) -> Void
    ) throws(TransportError) {
        post = QueueConfined(try BeaconTransceiver(configuration, queue: queue, handler: handler), on: queue)
    }

    /// Sends a datagram to everyone on every usable interface. Any thread may call it.
    ///
    /// - Precondition: It has at most `Beacon.maximumBytes` bytes.
    public func announce(_ datagram: [UInt8]) {
        precondition(datagram.count <= Beacon.maximumBytes, "a beacon keeps its limit")
        post.later { $0.announce(datagram) }
    }

    /// Sends a datagram to one node. Any thread may call it.
    ///
    /// - Precondition: It has at most `Beacon.maximumBytes` bytes.
    public func answer(_ datagram: [UInt8], to address: SocketAddress) {
        precondition(datagram.count <= Beacon.maximumBytes, "a beacon keeps its limit")
        post.later { $0.answer(datagram, to: address) }
    }

    /// Stops sending and hearing.
    public func stop() {
        post.later { $0.stop() }
    }
}
