import OperationLog

/// What a node shouts on the network so that others find it: an unsigned hint that is worth one dial, nothing more.
///
/// No names, no conversations; the device proves itself once it is dialed.
public struct Beacon: Hashable, Sendable {
    /// The longest datagram, in bytes.
    public static let maximumBytes = 128
    private static let magic = Array("MOOT".utf8)
    /// The version of the protocol, of which there is one so far.
    public static let version: UInt8 = 1

    /// The device that shouts.
    public let device: DeviceID
    /// Drawn anew at every start: a new one means the node wants to hear who is there.
    public let instance: UInt64
    /// Where the node listens.
    public let port: UInt16

    /// Describes a node.
    public init(device: DeviceID, instance: UInt64, port: UInt16) {
        self.device = device
        self.instance = instance
        self.port = port
    }

    /// The datagram: magic, version, device id, instance (8 bytes), port (2 bytes), most significant byte first.
    public var encoded: [UInt8] {
        var writer = CanonicalWriter(capacity: 47)
        writer.write(raw: Self.magic)
        writer.write(byte: Self.version)
        writer.write(device)
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            writer.write(byte: UInt8(truncatingIfNeeded: instance >> shift))
        }
        writer.write(byte: UInt8(port >> 8))
        writer.write(byte: UInt8(port & 0xFF))
        return writer.bytes
    }

    /// The version that a datagram names as a beacon of another version of the protocol does; nil for any other
    /// datagram. What follows the version may be anything then.
    public static func otherVersion(in datagram: [UInt8]) -> UInt8? {
        guard datagram.count > magic.count, datagram.count <= maximumBytes, datagram.starts(with: magic) else {
            return nil
        }
        let found = datagram[magic.count]
        return found == version ? nil : found
    }

    /// Reads a datagram; anything but exactly a beacon of this version is refused.
    public init(decoding bytes: [UInt8]) throws(MalformedBytes) {
        guard bytes.count <= Self.maximumBytes else { throw .tooLong(field: "beacon", limit: Self.maximumBytes) }
        var reader = CanonicalReader(bytes)
        guard try reader.raw(Self.magic.count) == Self.magic else { throw .invalid(field: "magic") }
        guard try reader.byte() == Self.version else { throw .invalid(field: "version") }
        device = try reader.identifier()
        instance = try reader.raw(8).reduce(0) { $0 << 8 | UInt64($1) }
        let high = UInt16(try reader.byte())
        port = high << 8 | UInt16(try reader.byte())
        guard port > 0 else { throw .invalid(field: "port") }
        try reader.finish()
    }
}
