import OperationLog

/// A line of text by which somebody whom discovery does not reach can be found: who they are and where their node
/// listens.
///
/// It is no secret and proves nothing by itself: whoever answers at one of the addresses proves in the channel that
/// they are the user. What makes it worth something is the way it came: read from a person's own screen it tells beyond
/// doubt which user they are.
public struct ContactCode: Hashable, Sendable {
    /// What every code begins with.
    public static let prefix = "moot:contact:"
    /// Addresses of a code.
    public static let maximumAddresses = CodeText.maximumAddresses
    /// Characters of a code.
    public static let maximumCharacters = CodeText.maximumCharacters
    private static let text = CodeText(prefix: prefix, version: version, domain: "moot/1/contact")
    private static let version: UInt8 = 1

    /// Whose code it is.
    public let user: UserID
    /// The device that listens at the addresses.
    public let device: DeviceID
    /// Where to dial, the best place first: 1 to ``maximumAddresses`` different addresses that mean something on
    /// another host.
    public let addresses: [SocketAddress]

    /// Describes where somebody is; nil without an address or with an address that no other host can dial, with one
    /// twice, or with more than ``maximumAddresses``.
    public init?(user: UserID, device: DeviceID, addresses: [SocketAddress]) {
        guard addresses.areValidInCode else { return nil }
        self.user = user
        self.device = device
        self.addresses = addresses
    }

    /// Reads a code. Every value has exactly one text, and no other is taken.
    ///
    /// - Throws: ``MalformedCode``.
    public init(_ text: some StringProtocol) throws(MalformedCode) {
        var reader = CanonicalReader(try Self.text.decode(text))
        do throws(MalformedBytes) {
            _ = try reader.byte()
            user = try reader.identifier()
            device = try reader.identifier()
            addresses = try reader.addresses()
            try reader.finish()
        } catch {
            throw .content(error)
        }
    }
}

extension ContactCode: CustomStringConvertible {
    /// The line of text.
    public var description: String {
        var writer = CanonicalWriter()
        writer.write(byte: Self.version)
        writer.write(user)
        writer.write(device)
        writer.write(addresses)
        return Self.text.encode(writer.bytes)
    }
}
