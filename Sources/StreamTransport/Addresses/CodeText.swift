import Cryptography
import OperationLog

/// How a code becomes one line of text that people and cameras pass on: a prefix that names its kind, then in base 32 a
/// version, the content and a checksum. Every content has exactly one text.
struct CodeText {
    /// Addresses of a code.
    static let maximumAddresses = 4
    /// Characters of a code.
    static let maximumCharacters = 400
    private static let checksumByteCount = 4

    let prefix: String
    let version: UInt8
    /// What is hashed with the content for the checksum.
    let domain: StaticString

    /// The text of some content, which begins with the version.
    func encode(_ content: [UInt8]) -> String { prefix + Base32.encode(content + checksum(content)) }

    /// Reads the content of a text.
    func decode(_ text: some StringProtocol) throws(MalformedCode) -> [UInt8] {
        guard text.utf8.starts(with: prefix.utf8) else { throw .prefix(prefix) }
        guard text.utf8.count <= Self.maximumCharacters else { throw .tooLong(limit: Self.maximumCharacters) }
        guard let bytes = Base32.decode(text.utf8.dropFirst(prefix.utf8.count)) else { throw .alphabet }
        let content = Array(bytes.dropLast(Self.checksumByteCount))
        guard bytes.count > Self.checksumByteCount, Array(bytes.suffix(Self.checksumByteCount)) == checksum(content)
        else { throw .checksum }
        // Every version keeps the checksum, so a typing error is never taken for a newer version.
        guard content.first == version else { throw .version(content[0]) }
        return content
    }

    private func checksum(_ content: [UInt8]) -> [UInt8] {
        Array(Digest.hash(domain, content).bytes.prefix(Self.checksumByteCount))
    }
}

extension CanonicalWriter {
    /// Writes the places where a device listens.
    mutating func write(_ addresses: [SocketAddress]) {
        write(count: addresses.count)
        for address in addresses {
            switch address.host {
            case .v4(let bits):
                write(byte: 4)
                write(raw: bits.bigEndianBytes)
            case .v6(let high, let low, _):
                write(byte: 6)
                write(raw: high.bigEndianBytes + low.bigEndianBytes)
            }
            write(raw: address.port.bigEndianBytes)
        }
    }
}

extension CanonicalReader {
    /// Reads the places where a device listens: those that a code may name.
    mutating func addresses() throws(MalformedBytes) -> [SocketAddress] {
        var addresses: [SocketAddress] = []
        for _ in 0..<(try count(of: "addresses", limit: CodeText.maximumAddresses)) { addresses.append(try address()) }
        guard addresses.areValidInCode else { throw .invalid(field: "addresses") }
        return addresses
    }

    private mutating func address() throws(MalformedBytes) -> SocketAddress {
        let host: IPAddress
        switch try byte() {
        case 4: host = .v4(try UInt32(bigEndian: raw(4)))
        case 6: host = .v6(high: try UInt64(bigEndian: raw(8)), low: try UInt64(bigEndian: raw(8)), scope: 0)
        default: throw .invalid(field: "address")
        }
        return SocketAddress(host, port: try UInt16(bigEndian: raw(2)))
    }
}

extension SocketAddress {
    /// Whether every host of the network understands the address, and it leads to one host.
    var isRoutableUnicast: Bool {
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

extension [SocketAddress] {
    /// Whether a code may name these places: at least one, none twice, all of them places that mean something on
    /// another host.
    var areValidInCode: Bool {
        (1...CodeText.maximumAddresses).contains(count) && Set(self).count == count && allSatisfy(\.isRoutableUnicast)
    }
}

extension FixedWidthInteger {
    /// The number that as many bytes as it has write, the most significant first.
    init(bigEndian bytes: [UInt8]) {
        self = bytes.reduce(0) { $0 << 8 | Self($1) }
    }

    /// The bytes, the most significant first.
    var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
