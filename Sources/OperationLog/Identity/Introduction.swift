/// What a node tells a peer of its user when a channel opens: the profile card, and the keys one can seal to.
public struct Introduction: Hashable, Sendable {
    /// The longest encoding, in bytes.
    public static let maximumBytes =
        3 + ProfileCard.maximumBytes + 1 + IdentityRecord.maximumDevices * (2 + WrapRecord.maximumBytes)

    /// Who it is.
    public let card: ProfileCard
    /// The user's devices and their keys.
    public let credentials: Credentials

    /// Joins a card and keys; those of devices the card does not certify are left out.
    public init(card: ProfileCard, wraps: some Sequence<WrapRecord>) {
        self.card = card
        credentials = Credentials(identity: card.identity, wraps: wraps)
    }

    /// The canonical bytes.
    public var encoded: [UInt8] {
        var writer = CanonicalWriter()
        writer.write(data: card.encoded)
        writer.write(count: credentials.wraps.count)
        for record in credentials.wraps { writer.write(data: record.encoded) }
        return writer.bytes
    }

    /// Reads an introduction and verifies every signature in it.
    public init(verifying encoded: [UInt8]) throws(MalformedBytes) {
        var reader = CanonicalReader(encoded)
        card = try ProfileCard(verifying: try reader.data(of: "profile card", limit: ProfileCard.maximumBytes))
        credentials = try Credentials(identity: card.identity, wrapsFrom: &reader)
        try reader.finish()
    }
}
