import Cryptography
import OperationLog
import Replication

/// A line of text that a new host shows, and by which a device of a user finds it and makes it another one.
///
/// It is a secret for as long as the new host waits: who reads it may dial. What they can do then is ask that host's
/// user to become a device of theirs, with their name on the screen.
public struct LinkCode: Hashable, Sendable {
    /// What every code begins with. Nothing but `moot devices add` takes it, so it cannot pass for a contact code.
    public static let prefix = "moot:link:"
    /// How long a code holds.
    public static let lifetime: Duration = .seconds(600)
    private static let text = CodeText(prefix: prefix, version: version, domain: "moot/1/link-code")
    private static let version: UInt8 = 1

    /// What the host proves to be, and what only who read the code knows.
    public let invitation: LinkInvitation
    /// Where to dial, the best place first: 1 to ``ContactCode/maximumAddresses`` different addresses that mean
    /// something on another host.
    public let addresses: [SocketAddress]

    /// Describes a host that waits; nil without an address or with one that no other host can dial, with one twice, or
    /// with too many.
    public init?(_ invitation: LinkInvitation, addresses: [SocketAddress]) {
        guard addresses.areValidInCode else { return nil }
        self.invitation = invitation
        self.addresses = addresses
    }

    /// Reads a code. Every value has exactly one text, and no other is taken.
    ///
    /// - Throws: ``MalformedCode``.
    public init(_ text: some StringProtocol) throws(MalformedCode) {
        var reader = CanonicalReader(try Self.text.decode(text))
        do throws(MalformedBytes) {
            _ = try reader.byte()
            let key = try reader.verifyingKey(of: "device key")
            guard let invitation = LinkInvitation(key: key, secret: try reader.raw(LinkInvitation.secretByteCount))
            else { throw .invalid(field: "secret") }
            self.invitation = invitation
            addresses = try reader.addresses()
            try reader.finish()
        } catch {
            throw .content(error)
        }
    }
}

extension LinkCode: CustomStringConvertible {
    /// The line of text.
    public var description: String {
        var writer = CanonicalWriter()
        writer.write(byte: Self.version)
        writer.write(raw: invitation.key.bytes)
        writer.write(raw: invitation.secret)
        writer.write(addresses)
        return Self.text.encode(writer.bytes)
    }
}
