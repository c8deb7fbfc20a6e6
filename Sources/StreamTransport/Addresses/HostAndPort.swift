/// A place to listen on or to dial as a person writes it: `host:port`, where the host may be a name.
public struct HostAndPort: Hashable, Sendable {
    /// The longest text that is read: a name of 253 characters, a colon, a port.
    public static let maximumLength = 259

    /// A name, a numeric address without brackets, or nothing.
    public let host: String
    /// The port.
    public let port: UInt16

    /// Reads `name:port`, `10.0.0.7:port`, `[fd00::7]:port` or `:port`.
    ///
    /// - Throws: ``TransportError/malformedAddress(_:)``.
    public init(_ text: some StringProtocol) throws(TransportError) {
        let malformed = TransportError.malformedAddress(String(text.prefix(Self.maximumLength)))
        guard text.utf8.count <= Self.maximumLength, let colon = text.lastIndex(of: ":") else { throw malformed }
        let digits = text[text.index(after: colon)...]
        // `UInt16.init` alone would also read "+80".
        guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let port = UInt16(digits) else { throw malformed }
        var host = text[..<colon]
        if host.hasPrefix("[") {
            guard host.hasSuffix("]") else { throw malformed }
            host = host.dropFirst().dropLast()
            guard host.contains(":"), IPAddress(host) != nil else { throw malformed }
        } else if !host.utf8.allSatisfy(Self.isAllowed) {
            throw malformed
        }
        self.host = String(host)
        self.port = port
    }

    /// The address, if the host is numeric.
    public var numeric: SocketAddress? {
        IPAddress(host).map { SocketAddress($0, port: port) }
    }

    /// Letters, digits, dots, hyphens and underscores: what names of hosts are made of. No colon: IPv6 is in brackets.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
