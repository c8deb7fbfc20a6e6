import Glibc

/// Asks a host to send packets back, small ones and the largest that the first network on the way carries.
///
/// Where something on the way carries less and says nothing, TCP connections begin and then stand still. The kernel
/// gives such sockets to users within `net.ipv4.ping_group_range`, which is everybody on most systems.
public enum EchoProbe {
    /// What came of it.
    public enum Outcome: Hashable, Sendable {
        /// The system lets this user send no such packets.
        case notPermitted
        /// Nothing came back, not even small packets: many hosts do not answer.
        case silent
        /// Packets of all sizes came back.
        case answered
        /// Only the small ones did; with the size of the others.
        case largeLost(bytes: Int)
    }

    /// Bytes of a packet that every network carries.
    private static let smallBytes = 64
    private static let tries = 3
    /// A header of ICMP.
    private static let headerBytes = 8

    /// Asks a host; blocks for less than a second and a half.
    ///
    /// - Parameter timeout: How long an answer may take.
    public static func run(_ host: IPAddress, timeout: Duration = .milliseconds(400)) -> Outcome {
        let address = SocketAddress(host, port: 0)
        let isV4 = host.isV4
        guard
            let descriptor = try? Descriptor(
                family: address.family, SOCK_DGRAM, protocol: Int32(isV4 ? IPPROTO_ICMP : IPPROTO_ICMPV6))
        else { return .notPermitted }
        guard address.withSockaddr({ connect(descriptor.number, $0, $1) }) == 0 else { return .silent }
        // Packets that are too large must be lost, and not be cut; what the kernel has learned of the way is ignored.
        let never: Int32 = 3
        descriptor.set(Int(isV4 ? IPPROTO_IP : IPPROTO_IPV6), isV4 ? IP_MTU_DISCOVER : IPV6_MTU_DISCOVER, to: never)
        guard echoes(smallBytes, descriptor, isV4: isV4, timeout: timeout) else { return .silent }
        let largest = maximumBytes(descriptor, isV4: isV4)
        return echoes(largest, descriptor, isV4: isV4, timeout: timeout) ? .answered : .largeLost(bytes: largest)
    }

    /// The largest packet that the first network on the way carries, at most an Ethernet frame's.
    private static func maximumBytes(_ descriptor: Descriptor, isV4: Bool) -> Int {
        let ethernet: Int32 = 1_500
        var value = ethernet
        var length = socklen_t(MemoryLayout<Int32>.size)
        // `IP_MTU` and `IPV6_MTU` of `linux/in.h`.
        let found = getsockopt(
            descriptor.number, Int32(isV4 ? IPPROTO_IP : IPPROTO_IPV6), isV4 ? 14 : 24, &value, &length)
        return Int(found == 0 ? min(value, ethernet) : ethernet)
    }

    private static func echoes(_ bytes: Int, _ descriptor: Descriptor, isV4: Bool, timeout: Duration) -> Bool {
        (1...tries).contains { number in
            let header = isV4 ? 20 : 40
            var packet = [UInt8](repeating: 0, count: max(bytes - header, headerBytes))
            packet[0] = isV4 ? 8 : 128
            packet[7] = UInt8(number)
            guard send(descriptor.number, packet, packet.count, Int32(MSG_NOSIGNAL)) == packet.count else {
                return false
            }
            return isAnswered(packet.count, descriptor, within: timeout / tries)
        }
    }

    private static func isAnswered(_ count: Int, _ descriptor: Descriptor, within timeout: Duration) -> Bool {
        let end = ContinuousClock.now + timeout
        var answer = [UInt8](repeating: 0, count: 2_048)
        while true {
            let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
            guard left > 0 else { return false }
            var poll = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
            guard Glibc.poll(&poll, 1, Int32(left) + 1) > 0 else { return false }
            // A late answer to the small packet is none to the large one.
            if recv(descriptor.number, &answer, answer.count, 0) == count { return true }
            _ = descriptor.takeError()
        }
    }
}
