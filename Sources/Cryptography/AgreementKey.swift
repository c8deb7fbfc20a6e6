import CSodium

/// An X25519 key pair (RFC 7748), its secret in guarded memory.
public struct AgreementKey: Sendable {
    /// Bytes of a secret and of a public key.
    public static let byteCount = 32

    /// The public half.
    public let publicKey: [UInt8]
    private let secret: SecretBytes

    private init(_ secret: SecretBytes) {
        self.secret = secret
        var publicKey = [UInt8](repeating: 0, count: Self.byteCount)
        crypto_scalarmult_curve25519_base(&publicKey, secret.start)
        self.publicKey = publicKey
    }

    /// Makes the pair of a secret; nil unless it has 32 bytes.
    public init?(secret bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.init(SecretBytes(bytes))
    }

    /// Makes the pair of a secret in guarded memory; nil unless it has 32 bytes.
    public init?(secret: SecretBytes) {
        guard secret.count == Self.byteCount else { return nil }
        self.init(secret)
    }

    /// Makes a new pair.
    public static func generate(using random: inout some RandomNumberGenerator) -> AgreementKey {
        AgreementKey(SecretBytes(count: byteCount, using: &random))
    }

    /// Lends the secret to the C functions of this module.
    func withSecret<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result { body(secret.start) }

    /// The secret, to be sealed and stored.
    public var secretBytes: SecretBytes { secret }

    /// Whether something can be sealed to a public key: not of the few with which every shared secret is zero.
    public static func isUsable(_ publicKey: [UInt8]) -> Bool {
        guard publicKey.count == byteCount else { return false }
        return VerificationCache.cached(
            name: { Digest.hash("moot/1/usable", publicKey) },
            check: {
                var shared = [UInt8](repeating: 0, count: byteCount)
                let scalar = [UInt8](repeating: 1, count: byteCount)
                return crypto_scalarmult_curve25519(&shared, scalar, publicKey) == 0
            })
    }

    /// Lends the secret shared with the holder of another key; it must not be kept.
    ///
    /// - Precondition: `other` has 32 bytes.
    /// - Throws: ``CryptographyError/weakKey`` where the secret would be zero whatever our own key is.
    public func withSharedSecret<Result>(
        with other: [UInt8], _ body: (UnsafeRawBufferPointer) -> Result
    ) throws(CryptographyError) -> Result {
        precondition(other.count == Self.byteCount, "a public key has 32 bytes")
        let result: Result? = withScratch(Self.byteCount) { shared in
            guard crypto_scalarmult_curve25519(shared.octets, secret.start, other) == 0 else { return nil }
            return body(UnsafeRawBufferPointer(shared))
        }
        guard let result else { throw .weakKey }
        return result
    }
}
