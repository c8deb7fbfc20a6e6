import CSodium

/// An Ed25519 secret key in guarded memory.
public struct SigningKey: Sendable {
    /// Bytes of the seed a key is made from and stored as.
    public static let seedByteCount = 32

    /// The public half.
    public let verifyingKey: VerifyingKey
    private let secret: SecretBytes

    private init(seed: UnsafeRawBufferPointer) {
        var secret: SecretBytes?
        let publicKey = Digest { publicKey in
            secret = SecretBytes(count: Int(crypto_sign_SECRETKEYBYTES)) { memory in
                crypto_sign_seed_keypair(publicKey.octets, memory.octets, seed.octets)
            }
        }
        guard let secret else { preconditionFailure("a digest is filled at once") }
        verifyingKey = VerifyingKey(digest: publicKey)
        self.secret = secret
    }

    /// Makes the key of a seed; nil unless it has 32 bytes.
    public init?(seed: [UInt8]) {
        guard seed.count == Self.seedByteCount else { return nil }
        self = seed.withUnsafeBytes { SigningKey(seed: $0) }
    }

    /// Makes the key of a seed in guarded memory; nil unless it has 32 bytes.
    public init?(seed: SecretBytes) {
        guard seed.count == Self.seedByteCount else { return nil }
        self = seed.withUnsafeBytes { SigningKey(seed: $0) }
    }

    /// Makes a new key.
    public static func generate(using random: inout some RandomNumberGenerator) -> SigningKey {
        SecretBytes(count: seedByteCount, using: &random).withUnsafeBytes { SigningKey(seed: $0) }
    }

    /// Signs a message.
    ///
    /// - Complexity: about 40 µs.
    public func sign(_ message: [UInt8]) -> Signature {
        var bytes = [UInt8](repeating: 0, count: Signature.byteCount)
        crypto_sign_detached(&bytes, nil, message, UInt64(message.count), secret.start)
        guard let signature = Signature(bytes: bytes) else { preconditionFailure("a signature has 64 bytes") }
        return signature
    }
}
