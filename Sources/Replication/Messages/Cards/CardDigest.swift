import Cryptography
import OperationLog

/// What a node holds of the cards of the people whom it shares with a peer, as it says it to that peer.
public struct CardDigest: Hashable, Sendable {
    /// Bytes of a digest.
    public static let byteCount = 16
    /// The bytes.
    public let bytes: [UInt8]

    /// The digest of the cards that are held, ascending by person.
    public init(of versions: [CardVersion]) {
        var writer = CanonicalWriter(capacity: versions.count * 48)
        for version in versions { version.write(to: &writer) }
        var hash = Blake2b(byteCount: Self.byteCount)
        hash.update(writer.bytes)
        bytes = hash.finalize()
    }

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}
