import CSodium

/// ChaCha20-Poly1305 under a key that is used for one thing only, whose parts are numbered: the number is the nonce.
///
/// The nonce is four zero bytes and the number, least significant byte first, as in a channel. What is sealed has no
/// nonce in front, so nothing but the tag is added. Two different texts must never be sealed under one key and number.
public enum CounterNonceCipher {
    /// Bytes of a key.
    public static let keyByteCount = 32
    /// Bytes that sealing adds.
    public static let overhead = 16

    /// Encrypts a part.
    ///
    /// - Precondition: `key` has ``keyByteCount`` bytes.
    /// - Complexity: O(*n*), about 1 µs for a KiB.
    public static func seal(_ plaintext: [UInt8], key: UnsafeRawBufferPointer, number: UInt64) -> [UInt8] {
        // A start in the midst of another thread's sealing would change the implementation under its hands.
        precondition(Sodium.isReady, "libsodium starts")
        precondition(key.count == keyByteCount, "a key has 32 bytes")
        return [UInt8](unsafeUninitializedCapacity: plaintext.count + overhead) { sealed, count in
            withNonce(number) { nonce in
                _ = crypto_aead_chacha20poly1305_ietf_encrypt(
                    UnsafeMutableRawBufferPointer(sealed).octets, nil, plaintext, UInt64(plaintext.count), nil, 0, nil,
                    nonce, key.octets)
            }
            count = plaintext.count + overhead
        }
    }

    /// Checks and decrypts a part.
    ///
    /// - Precondition: `key` has ``keyByteCount`` bytes.
    /// - Throws: ``CryptographyError/authentication`` if it, its number or the key are not those of sealing.
    public static func open(
        _ sealed: [UInt8], key: UnsafeRawBufferPointer, number: UInt64
    ) throws(CryptographyError) -> [UInt8] {
        precondition(Sodium.isReady, "libsodium starts")
        precondition(key.count == keyByteCount, "a key has 32 bytes")
        guard sealed.count >= overhead else { throw .authentication }
        var isAuthentic = false
        // One byte more than is needed, for an address even where nothing was sealed.
        let plaintext = [UInt8](unsafeUninitializedCapacity: sealed.count - overhead + 1) { plaintext, count in
            let result = withNonce(number) { nonce in
                crypto_aead_chacha20poly1305_ietf_decrypt(
                    UnsafeMutableRawBufferPointer(plaintext).octets, nil, nil, sealed, UInt64(sealed.count), nil, 0,
                    nonce,
                    key.octets)
            }
            isAuthentic = result == 0
            count = isAuthentic ? sealed.count - overhead : 0
        }
        guard isAuthentic else { throw .authentication }
        return plaintext
    }
}

/// Lends a nonce of twelve bytes: four zero bytes and the number, least significant byte first.
func withNonce<Result>(_ number: UInt64, _ body: (UnsafePointer<UInt8>) -> Result) -> Result {
    let words = (
        UInt32(0), UInt32(truncatingIfNeeded: number).littleEndian,
        UInt32(truncatingIfNeeded: number >> 32).littleEndian
    )
    return withUnsafeBytes(of: words) { body($0.octets) }
}
