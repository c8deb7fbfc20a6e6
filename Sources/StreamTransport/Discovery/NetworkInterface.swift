import Glibc

/// A network interface of this host, as far as it matters for finding nodes.
public struct NetworkInterface: Hashable, Sendable {
    /// The name, such as `eth0`.
    public let name: String
    /// The number the system knows it by. An interface that is made anew gets another one.
    public let index: UInt32
    /// Whether it leads nowhere but to this host.
    public let isLoopback: Bool
    /// Its own addresses, in the order the system reports them.
    public internal(set) var addresses: [IPAddress]
    /// The addresses that reach everyone on its IPv4 networks.
    public internal(set) var broadcastAddresses: [IPAddress]

    /// How many bits all addresses of its networks have in common, by its own address there.
    public internal(set) var prefixLengths: [IPAddress: Int] = [:]

    /// Whether another address is of one of its networks.
    public func isNeighbor(_ other: IPAddress) -> Bool {
        prefixLengths.contains { own, length in
            switch (own, other) {
            case (.v4(let mine), .v4(let theirs)):
                length > 0 && (mine ^ theirs) >> UInt32(32 - min(length, 32)) == 0
            case (.v6(let mine, _, let scope), .v6(let theirs, _, let otherScope)):
                // Networks of IPv6 have at least 64 bits in common.
                mine == theirs && scope == otherScope
            case (.v4, .v6), (.v6, .v4): false
            }
        }
    }

    /// Whether it has an IPv4 address.
    public var hasIPv4: Bool { addresses.contains(where: \.isV4) }

    /// Whether it has an IPv6 address.
    public var hasIPv6: Bool { !addresses.allSatisfy(\.isV4) }

    /// The interfaces that are up and connected, have an address, and can reach several hosts at once, by number.
    ///
    /// - Parameters:
    ///   - names: Only interfaces of these names; empty for all.
    ///   - includingLoopback: Whether the loopback interface counts too.
    public static func usable(named names: [String] = [], includingLoopback: Bool = false) -> [NetworkInterface] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var interfaces: [UInt32: NetworkInterface] = [:]
        var entry = list
        while let current = entry?.pointee {
            entry = current.ifa_next
            let flags = Flags(rawValue: current.ifa_flags)
            let name = String(cString: current.ifa_name)
            guard flags.contains([.up, .running]), !flags.isDisjoint(with: [.loopback, .broadcast, .multicast]),
                includingLoopback || !flags.contains(.loopback), names.isEmpty || names.contains(name),
                let address = SocketAddress(copying: current.ifa_addr)?.host
            else { continue }
            let index = if_nametoindex(name)
            guard index > 0 else { continue }
            var interface =
                interfaces[index]
                ?? NetworkInterface(
                    name: name, index: index, isLoopback: flags.contains(.loopback), addresses: [],
                    broadcastAddresses: [])
            interface.addresses.append(address)
            interface.prefixLengths[address] = SocketAddress(copying: current.ifa_netmask)?.host.bitCount
            if case .v4(let bits) = address {
                if flags.contains(.loopback) {
                    // The whole of 127.0.0.0/8 is this host; its broadcast address works, but no interface lists it.
                    interface.broadcastAddresses.append(.v4(bits | 0x00FF_FFFF))
                } else if flags.contains(.broadcast),
                    let everyone = SocketAddress(copying: current.ifa_ifu.ifu_broadaddr)?.host,
                    !interface.broadcastAddresses.contains(everyone)
                {
                    interface.broadcastAddresses.append(everyone)
                }
            }
            interfaces[index] = interface
        }
        return interfaces.values.sorted { $0.index < $1.index }
    }

    /// What the system says about an interface; the values are those of `net/if.h`.
    private struct Flags: OptionSet {
        let rawValue: UInt32
        static let up = Flags(rawValue: UInt32(IFF_UP))
        static let broadcast = Flags(rawValue: UInt32(IFF_BROADCAST))
        static let loopback = Flags(rawValue: UInt32(IFF_LOOPBACK))
        static let running = Flags(rawValue: UInt32(IFF_RUNNING))
        static let multicast = Flags(rawValue: UInt32(IFF_MULTICAST))
    }
}

extension IPAddress {
    /// How many bits are set: the length of a network's prefix, if this is its mask.
    fileprivate var bitCount: Int {
        switch self {
        case .v4(let bits): bits.nonzeroBitCount
        case .v6(let high, let low, _): high.nonzeroBitCount + low.nonzeroBitCount
        }
    }
}

extension SocketAddress {
    /// The address that a list of the system points to; nil if it points to none, or to another kind of address.
    fileprivate init?(copying address: UnsafePointer<sockaddr>?) {
        guard let address else { return nil }
        let length: Int
        switch Int32(address.pointee.sa_family) {
        case AF_INET: length = MemoryLayout<sockaddr_in>.size
        case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
        default: return nil
        }
        var storage = sockaddr_storage()
        withUnsafeMutableBytes(of: &storage) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: length))
        }
        self.init(storage)
    }
}
