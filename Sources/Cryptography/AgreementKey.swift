import CSodium

/// An X25519 key pair (RFC 7748), its secret in guarded memory.
public struct AgreementKey: Sendable {
    /// Bytes of a secret and of a public key.
    public static let byteCount = 32

    /// The public half.
    public let publicKey: [UInt8]
    private let secret: SecretBytes

    /// Makes the pair of a secret; nil unless it has 32 bytes.
    public init?(secret bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        secret = SecretBytes(bytes)
        var publicKey = [UInt8](repeating: 0, count: Self.byteCount)
        crypto_scalarmult_curve25519_base(&publicKey, secret.start)
        self.publicKey = publicKey
    }

    /// Makes a new pair.
    public static func generate(using random: inout some RandomNumberGenerator) -> AgreementKey {
        guard let key = AgreementKey(secret: random.bytes(byteCount)) else {
            preconditionFailure("a secret has 32 bytes")
        }
        return key
    }

    /// The secret shared with the holder of another key.
    ///
    /// - Throws: ``CryptographyError/weakKey`` where the result would be zero whatever our secret is.
    public func sharedSecret(with other: [UInt8]) throws(CryptographyError) -> SecretBytes {
        precondition(other.count == Self.byteCount, "a public key has 32 bytes")
        var result: Int32 = -1
        let shared = SecretBytes(count: Self.byteCount) { memory in
            guard let start = memory.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            result = crypto_scalarmult_curve25519(start, secret.start, other)
        }
        guard result == 0 else { throw .weakKey }
        return shared
    }
}
