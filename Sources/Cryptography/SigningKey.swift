import CSodium

/// An Ed25519 secret key in guarded memory.
public struct SigningKey: Sendable {
    /// Bytes of the seed a key is made from and stored as.
    public static let seedByteCount = 32

    /// The public half.
    public let verifyingKey: VerifyingKey
    private let secret: SecretBytes

    /// Makes the key of a seed; nil unless it has 32 bytes.
    public init?(seed: [UInt8]) {
        guard seed.count == Self.seedByteCount else { return nil }
        var publicKey = [UInt8](repeating: 0, count: Digest.byteCount)
        secret = SecretBytes(count: Int(crypto_sign_SECRETKEYBYTES)) { memory in
            let start = memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
            if let start { crypto_sign_seed_keypair(&publicKey, start, seed) }
        }
        guard let key = VerifyingKey(bytes: publicKey) else { return nil }
        verifyingKey = key
    }

    /// Makes a new key.
    public static func generate(using random: inout some RandomNumberGenerator) -> SigningKey {
        guard let key = SigningKey(seed: random.bytes(seedByteCount)) else {
            preconditionFailure("a seed has 32 bytes")
        }
        return key
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

extension RandomNumberGenerator {
    /// The next random bytes.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count { Swift.withUnsafeBytes(of: next()) { bytes.append(contentsOf: $0) } }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}

/// libsodium's random source. Only shells make one; cores are handed a generator.
public struct SystemRandom: RandomNumberGenerator, Sendable {
    /// Begins to draw from the system.
    public init() {}

    /// The next 64 random bits.
    public mutating func next() -> UInt64 {
        var value: UInt64 = 0
        randombytes_buf(&value, 8)
        return value
    }
}
