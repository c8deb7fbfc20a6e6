import Cryptography
import OperationLog

/// A line of text by which somebody whom discovery does not reach can be found: who he is and where his node listens.
///
/// It is no secret and proves nothing by itself: whoever answers at one of the addresses proves in the channel that he is the user. What
/// makes it worth something is the way it came: read from a person's own screen it tells beyond doubt which user he is.
public struct ContactCode: Hashable, Sendable {
    /// What every code begins with.
    public static let prefix = "moot:contact:"
    /// Addresses of a code.
    public static let addressLimit = 4
    /// Characters of a code.
    public static let characterLimit = 400
    private static let version: UInt8 = 1
    private static let checksumByteCount = 4

    /// Whose code it is.
    public let user: UserID
    /// The device that listens at the addresses.
    public let device: DeviceID
    /// Where to dial, the best place first: 1 to ``addressLimit`` different addresses that mean something on another host.
    public let addresses: [SocketAddress]

    /// Describes where somebody is; nil without an address or with an address that no other host can dial, with one twice, or with
    /// more than ``addressLimit``.
    public init?(user: UserID, device: DeviceID, addresses: [SocketAddress]) {
        guard (1...Self.addressLimit).contains(addresses.count), Set(addresses).count == addresses.count,
            addresses.allSatisfy(\.isOfOneHostForAll)
        else { return nil }
        self.user = user
        self.device = device
        self.addresses = addresses
    }

    /// Reads a code. Every value has exactly one text, and no other is taken.
    ///
    /// - Throws: ``MalformedContactCode``.
    public init(_ text: some StringProtocol) throws(MalformedContactCode) {
        guard text.utf8.starts(with: Self.prefix.utf8) else { throw .prefix }
        guard text.utf8.count <= Self.characterLimit else { throw .tooLong }
        guard let bytes = Base32.decode(text.utf8.dropFirst(Self.prefix.utf8.count)) else { throw .alphabet }
        let content = Array(bytes.dropLast(Self.checksumByteCount))
        guard bytes.count > Self.checksumByteCount,
            Array(bytes.suffix(Self.checksumByteCount)) == Self.checksum(content)
        else { throw .checksum }
        // Every version keeps the checksum, so a typing error is never taken for a newer version.
        guard content.first == Self.version else { throw .version(content[0]) }
        var reader = CanonicalReader(content)
        do throws(MalformedBytes) {
            _ = try reader.byte()
            user = try reader.identifier()
            device = try reader.identifier()
            let count = try reader.count(of: "addresses", limit: Self.addressLimit)
            var addresses: [SocketAddress] = []
            for _ in 0..<count { addresses.append(try Self.address(from: &reader)) }
            try reader.finish()
            self.addresses = addresses
        } catch {
            throw .content(error)
        }
        guard ContactCode(user: user, device: device, addresses: addresses) == self else {
            throw .content(.invalid(field: "addresses"))
        }
    }

    private static func checksum(_ content: [UInt8]) -> [UInt8] {
        Array(Digest.hash("moot/1/contact", content).bytes.prefix(checksumByteCount))
    }

    private static func address(from reader: inout CanonicalReader) throws(MalformedBytes) -> SocketAddress {
        let host: IPAddress
        switch try reader.byte() {
        case 4: host = .v4(try UInt32(bigEndian: reader.raw(4)))
        case 6:
            host = .v6(high: try UInt64(bigEndian: reader.raw(8)), low: try UInt64(bigEndian: reader.raw(8)), scope: 0)
        default: throw .invalid(field: "address")
        }
        return SocketAddress(host, port: try UInt16(bigEndian: reader.raw(2)))
    }
}

extension ContactCode: CustomStringConvertible {
    /// The line of text.
    public var description: String {
        var writer = CanonicalWriter()
        writer.write(byte: Self.version)
        writer.write(user)
        writer.write(device)
        writer.write(count: addresses.count)
        for address in addresses {
            switch address.host {
            case .v4(let bits):
                writer.write(byte: 4)
                writer.write(raw: bits.bigEndianBytes)
            case .v6(let high, let low, _):
                writer.write(byte: 6)
                writer.write(raw: high.bigEndianBytes + low.bigEndianBytes)
            }
            writer.write(raw: address.port.bigEndianBytes)
        }
        return Self.prefix + Base32.encode(writer.bytes + Self.checksum(writer.bytes))
    }
}

extension SocketAddress {
    /// Whether every host of the network understands the address, and it leads to one host.
    var isOfOneHostForAll: Bool {
        guard port > 0 else { return false }
        switch host {
        case .v4(let bits):
            return bits >> 24 != 0 && bits >> 28 < 0xE
        case .v6(let high, let low, _):
            // Neither multicast, nor of an interface, nor an IPv4 address in disguise.
            return high >> 56 != 0xFF && !host.isLinkLocal && (high != 0 || low >> 32 != 0xFFFF && low != 0)
        }
    }
}

extension FixedWidthInteger {
    /// The number that as many bytes as it has write, the most significant first.
    fileprivate init(bigEndian bytes: [UInt8]) {
        self = bytes.reduce(0) { $0 << 8 | Self($1) }
    }

    /// The bytes, the most significant first.
    fileprivate var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
