import Glibc

/// The address of a host: IPv4, or IPv6 with the interface it is meaningful on.
public enum IPAddress: Hashable, Sendable {
    /// An IPv4 address; the first byte is the most significant one.
    case v4(UInt32)
    /// An IPv6 address; `scope` is the index of an interface for link-local addresses, else 0.
    case v6(high: UInt64, low: UInt64, scope: UInt32)

    /// Every IPv4 address of this host: `0.0.0.0`.
    public static let anyV4 = IPAddress.v4(0)
    /// Every address of this host: `::`.
    public static let anyV6 = IPAddress.v6(high: 0, low: 0, scope: 0)
    /// This host itself: `127.0.0.1`.
    public static let loopbackV4 = IPAddress.v4(0x7F00_0001)
    /// This host itself: `::1`.
    public static let loopbackV6 = IPAddress.v6(high: 0, low: 1, scope: 0)

    /// Reads a numeric address such as `10.0.0.7`, `fd00::7` or `fe80::1%eth0`; nil for anything else.
    ///
    /// An IPv4 address that IPv6 wraps (`::ffff:10.0.0.7`) becomes the IPv4 address it stands for.
    public init?(_ text: some StringProtocol) {
        // The longest form has 45 characters and an interface of up to 15. A NUL would end the text early for C.
        guard text.utf8.count <= 64, !text.utf8.contains(0) else { return nil }
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
        let numeric = parts[0]
        var v4 = in_addr()
        var v6 = in6_addr()
        if parts.count == 1, inet_pton(AF_INET, numeric, &v4) == 1 {
            self = .v4(UInt32(bigEndian: v4.s_addr))
        } else if inet_pton(AF_INET6, numeric, &v6) == 1 {
            var scope: UInt32 = 0
            if parts.count == 2 {
                scope = UInt32(parts[1]) ?? if_nametoindex(parts[1])
                guard scope > 0 else { return nil }
            }
            self.init(v6, scope: scope)
        } else {
            return nil
        }
    }

    init(_ address: in6_addr, scope: UInt32) {
        let (high, low) = withUnsafeBytes(of: address) { bytes in
            (
                UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        if high == 0, low >> 32 == 0xFFFF {
            self = .v4(UInt32(truncatingIfNeeded: low))
        } else {
            let isLinkLocal = high >> 54 == 0xFE80 >> 6 || high >> 48 == 0xFF02
            self = .v6(high: high, low: low, scope: isLinkLocal ? scope : 0)
        }
    }

    /// Whether this is an IPv4 address.
    public var isV4: Bool {
        switch self {
        case .v4: true
        case .v6: false
        }
    }

    /// Whether the address leads back to this host.
    public var isLoopback: Bool {
        switch self {
        case .v4(let bits): bits >> 24 == 127
        case .v6(let high, let low, _): high == 0 && low == 1
        }
    }

    /// Whether the address stands for all addresses of this host.
    public var isUnspecified: Bool {
        switch self {
        case .v4(let bits): bits == 0
        case .v6(let high, let low, _): high == 0 && low == 0
        }
    }

    /// Whether the address means something only together with an interface.
    public var isLinkLocal: Bool {
        switch self {
        case .v4(let bits): bits >> 16 == 0xA9FE
        case .v6(let high, _, _): high >> 54 == 0xFE80 >> 6
        }
    }

    /// The same address as the kernel wants it.
    var in6: in6_addr {
        var address = in6_addr()
        guard case .v6(let high, let low, _) = self else { return address }
        withUnsafeMutableBytes(of: &address) { bytes in
            bytes.storeBytes(of: high.bigEndian, as: UInt64.self)
            bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return address
    }
}

extension IPAddress: CustomStringConvertible {
    /// The numeric form of the address. A scope is written as the number of the interface: `fe80::1%2`.
    public var description: String {
        switch self {
        case .v4(let bits):
            return "\(bits >> 24).\(bits >> 16 & 255).\(bits >> 8 & 255).\(bits & 255)"
        case .v6(_, _, let scope):
            var address = in6
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            inet_ntop(AF_INET6, &address, &text, socklen_t(text.count))
            let numeric = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            return scope == 0 ? numeric : "\(numeric)%\(scope)"
        }
    }
}
