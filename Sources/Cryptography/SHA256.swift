import CSodium

/// SHA-256 (FIPS 180-4) and HMAC by it (RFC 2104), for browsers: they offer no BLAKE2b.
public enum SHA256 {
    /// Bytes of a hash, and of an authentication code.
    public static let byteCount = 32

    /// Hashes bytes.
    ///
    /// - Complexity: O(*n*).
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: byteCount)
        crypto_hash_sha256(&result, bytes, UInt64(bytes.count))
        return result
    }

    /// The authentication code of bytes under a secret of 32 bytes.
    public static func authentication(of bytes: [UInt8], under key: SecretBytes) -> [UInt8] {
        precondition(key.count == byteCount, "an HMAC of libsodium has a key of 32 bytes")
        var result = [UInt8](repeating: 0, count: byteCount)
        crypto_auth_hmacsha256(&result, bytes, UInt64(bytes.count), key.start)
        return result
    }
}
