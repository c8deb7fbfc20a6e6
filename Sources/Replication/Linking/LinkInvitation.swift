import Cryptography
import OperationLog

/// What a host shows that wants to become a device, and whoever links it reads from its screen: the key it will sign
/// with, and a secret.
public struct LinkInvitation: Hashable, Sendable {
    /// Bytes of the secret.
    public static let secretByteCount = 16

    /// The key that the device will sign with, drawn for this attempt alone.
    public let key: VerifyingKey
    /// What only who read the code knows, ``secretByteCount`` bytes.
    public let secret: [UInt8]

    /// Joins both; nil unless the secret has ``secretByteCount`` bytes.
    public init?(key: VerifyingKey, secret: [UInt8]) {
        guard secret.count == Self.secretByteCount else { return nil }
        self.key = key
        self.secret = secret
    }

    /// What both sides of the handshake begin with: who does not speak of this host cannot even begin.
    var prologue: [UInt8] { Array("moot/1/link".utf8) + key.bytes }

    /// Proves before a handshake that whoever dials knows the secret: nobody else costs the code anything.
    ///
    /// - Parameter commitment: what they bind their static key to, which is drawn for this connection.
    func proof(ofCommitment commitment: [UInt8]) -> [UInt8] {
        var hash = Blake2b(byteCount: Digest.byteCount, key: secret)
        hash.update(Array("moot/1/link-begin".utf8) + key.bytes + commitment)
        return hash.finalize()
    }

    /// Proves in a handshake that a side knows the secret.
    func proof(of role: HandshakeState.Role, transcript: [UInt8]) -> [UInt8] {
        var hash = Blake2b(byteCount: Digest.byteCount, key: secret)
        hash.update(Array("moot/1/link".utf8) + [role.rawValue] + transcript)
        return hash.finalize()
    }
}
