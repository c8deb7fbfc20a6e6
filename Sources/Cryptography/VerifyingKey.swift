import CSodium

/// An Ed25519 public key.
///
/// Signatures are accepted by libsodium 1.0.18's rule (cofactorless, small-order keys refused), which every node must
/// share.
public struct VerifyingKey: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The bytes of the key.
    public let digest: Digest

    /// Takes over the bytes of a key.
    public init(digest: Digest) { self.digest = digest }

    /// Takes over 32 bytes; nil for any other number.
    public init?(bytes: some Collection<UInt8>) {
        guard let digest = Digest(bytes: bytes) else { return nil }
        self.digest = digest
    }

    /// The bytes.
    public var bytes: [UInt8] { digest.bytes }

    /// 64 lowercase hexadecimal digits.
    public var description: String { digest.hexadecimal }

    /// Whether the key is a point on the curve in the main subgroup and none of the weak ones.
    public var isValidPoint: Bool {
        VerificationCache.cached(
            name: { Digest.hash("moot/1/point", bytes) },
            check: { crypto_core_ed25519_is_valid_point(bytes) == 1 })
    }

    /// Whether the holder of the key signed a message.
    ///
    /// - Complexity: about 100 µs.
    public func verifies(_ signature: Signature, of message: [UInt8]) -> Bool {
        VerificationCache.cached(
            name: { Digest.hash("moot/1/signature", bytes, signature.bytes, message) },
            check: { crypto_sign_verify_detached(signature.bytes, message, UInt64(message.count), bytes) == 0 })
    }

    /// The order of the bytes.
    public static func < (left: VerifyingKey, right: VerifyingKey) -> Bool { left.digest < right.digest }
}
