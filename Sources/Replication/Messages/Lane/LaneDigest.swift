import Cryptography
import OperationLog

/// What a replica holds of a lane, as it says it on one connection.
///
/// Eight bytes are enough: they depend on the connection's handshake, so nobody can look beforehand for operations that
/// make two different replicas seem equal.
public struct LaneDigest: Hashable, Sendable {
    /// Bytes of a digest.
    static let byteCount = 8

    private let word: UInt64

    /// The digest of what is held, on a connection.
    ///
    /// - Complexity: one hash over 64 bytes.
    public init(of held: FrontierDigest, transcript: [UInt8]) {
        var hash = Blake2b(byteCount: Self.byteCount, key: held.bytes)
        hash.update(transcript)
        self.init(bytes: hash.finalize())
    }

    /// Wraps the bytes of a digest.
    ///
    /// - Precondition: there are ``byteCount`` of them.
    init(bytes: [UInt8]) {
        precondition(bytes.count == Self.byteCount, "the digest of a lane has 8 bytes")
        word = bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    }

    /// The bytes.
    var bytes: [UInt8] { withUnsafeBytes(of: word) { Array($0) } }
}
