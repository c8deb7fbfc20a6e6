/// A network: the IPv4 addresses that begin with the same bits.
public struct IPv4Prefix: Hashable, Sendable, CustomStringConvertible {
    /// The first address; the most significant byte comes first.
    public let bits: UInt32
    /// How many bits are the same.
    public let length: Int

    /// The network of an address; a length beyond 0 to 32 counts as the nearest of them.
    public init(_ address: UInt32, length: Int) {
        self.length = min(max(length, 0), 32)
        bits = address & Self.mask(self.length)
    }

    /// Whether an address belongs to the network.
    public func contains(_ address: UInt32) -> Bool { address & Self.mask(length) == bits }

    private static func mask(_ length: Int) -> UInt32 { length == 0 ? 0 : ~0 << UInt32(32 - length) }

    /// As `10.77.0.0/24`.
    public var description: String { "\(Self.text(bits))/\(length)" }

    /// An address as `10.77.0.1`.
    static func text(_ bits: UInt32) -> String {
        "\(bits >> 24).\(bits >> 16 & 255).\(bits >> 8 & 255).\(bits & 255)"
    }
}
