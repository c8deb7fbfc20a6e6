import CSodium

/// Argon2id (RFC 9106) at libsodium's interactive strength: about a tenth of a second and 64 MiB for one hash.
///
/// For short codes that people compare, where whoever wants another input of the same code must not be able to try
/// many.
public enum MemoryHardHash {
    /// Bytes of a salt.
    public static let saltByteCount = 16

    /// Hashes bytes into 32.
    ///
    /// - Throws: ``CryptographyError/outOfMemory`` where 64 MiB are not to be had.
    /// - Complexity: two passes over 64 MiB, on purpose.
    public static func hash(_ bytes: [UInt8], salt: [UInt8]) throws(CryptographyError) -> Digest {
        precondition(salt.count == saltByteCount, "a salt has 16 bytes")
        precondition(Sodium.isReady, "libsodium starts")
        var result = [UInt8](repeating: 0, count: Digest.byteCount)
        let outcome = crypto_pwhash(
            &result, UInt64(result.count), bytes.map(CChar.init(bitPattern:)), UInt64(bytes.count), salt,
            UInt64(crypto_pwhash_argon2id_OPSLIMIT_INTERACTIVE), Int(crypto_pwhash_argon2id_MEMLIMIT_INTERACTIVE),
            crypto_pwhash_ALG_ARGON2ID13)
        guard outcome == 0, let digest = Digest(bytes: result) else { throw .outOfMemory }
        return digest
    }
}
