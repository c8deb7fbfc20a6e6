import Cryptography
import OperationLog

/// Which card of a person a node holds.
public struct CardVersion: Hashable, Sendable {
    /// The shortest encoding, in bytes.
    static let byteMinimum = 32 + 1 + tieByteCount
    private static let tieByteCount = 8

    /// Whose card it is.
    public let user: UserID
    /// Its version.
    public let version: UInt64
    /// The first bytes of its digest, most significant first. Of two cards of one version the one with the smaller
    /// digest counts.
    public let tie: UInt64

    /// Whether it is the card by which its owner ended their identity.
    public var isDeletion: Bool { version == ProfileCard.deletionVersion }

    /// Names a card.
    public init(of card: ProfileCard) {
        self.init(
            user: card.user, version: card.version, tie: Self.word(card.digest.bytes.prefix(Self.tieByteCount)))
    }

    init(user: UserID, version: UInt64, tie: UInt64) {
        self.user = user
        self.version = version
        self.tie = tie
    }

    init(from reader: inout CanonicalReader) throws(MalformedBytes) {
        self.init(
            user: try reader.identifier(), version: try reader.number(),
            tie: Self.word(try reader.raw(Self.tieByteCount)[...]))
    }

    func write(to writer: inout CanonicalWriter) {
        writer.write(user)
        writer.write(number: version)
        writer.write(raw: withUnsafeBytes(of: tie.bigEndian) { Array($0) })
    }

    /// Whether it replaces `other` of the same person.
    public func supersedes(_ other: CardVersion) -> Bool {
        version != other.version ? version > other.version : tie < other.tie
    }

    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
