import Cryptography
import OperationLog
import Time

/// A line of text that lets whoever first uses it into a group: the invite with the seed of its one-time key, and where
/// its inviter's node listens.
///
/// It is a secret until it is used: whoever reads it can join.
public struct InviteCode: Hashable, Sendable {
    /// What every code begins with.
    public static let prefix = "moot:invite:"
    /// Addresses of a code.
    public static let maximumAddresses = CodeText.maximumAddresses
    /// Characters of a code.
    public static let maximumCharacters = CodeText.maximumCharacters
    private static let text = CodeText(prefix: prefix, version: version, domain: "moot/1/invite-code")
    private static let version: UInt8 = 1

    /// The group.
    public let conversation: ConversationID
    /// The invite by code.
    public let invite: OperationID
    /// The seed of the one-time key, 32 bytes.
    public let seed: [UInt8]
    /// When the inviter takes the invite back.
    public let end: Timestamp
    /// The inviter's device, which listens at the addresses.
    public let device: DeviceID
    /// Where to dial, the best place first: 1 to ``maximumAddresses`` different addresses that mean something on
    /// another host.
    public let addresses: [SocketAddress]

    /// The one-time key.
    public var key: SigningKey {
        guard let key = SigningKey(seed: seed) else { preconditionFailure("a seed has 32 bytes") }
        return key
    }

    /// Puts a code together; nil with a seed of another length, or with addresses that ``ContactCode`` would not take.
    public init?(
        conversation: ConversationID, invite: OperationID, seed: [UInt8], end: Timestamp, device: DeviceID,
        addresses: [SocketAddress]
    ) {
        guard addresses.areValidInCode, seed.count == SigningKey.seedByteCount else {
            return nil
        }
        self.conversation = conversation
        self.invite = invite
        self.seed = seed
        self.end = end
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
            conversation = try reader.identifier()
            invite = try reader.identifier()
            seed = try reader.raw(SigningKey.seedByteCount)
            guard let milliseconds = Int64(exactly: try reader.number()),
                let end = Timestamp(milliseconds: milliseconds)
            else { throw .invalid(field: "time") }
            self.end = end
            device = try reader.identifier()
            addresses = try reader.addresses()
            try reader.finish()
        } catch {
            throw .content(error)
        }
    }
}

extension InviteCode: CustomStringConvertible {
    /// The line of text.
    public var description: String {
        var writer = CanonicalWriter()
        writer.write(byte: Self.version)
        writer.write(conversation)
        writer.write(invite)
        writer.write(raw: seed)
        writer.write(number: UInt64(end.milliseconds))
        writer.write(device)
        writer.write(addresses)
        return Self.text.encode(writer.bytes)
    }
}
