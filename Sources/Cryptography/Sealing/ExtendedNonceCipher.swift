import CSodium

/// XChaCha20-Poly1305 with its nonce of 24 bytes in front: so long that random ones never meet, whatever is restored or
/// forked.
public enum ExtendedNonceCipher {
    /// Bytes of the nonce.
    public static let nonceByteCount = 24
    /// Bytes that sealing adds: nonce and tag.
    public static let overhead = nonceByteCount + 16

    /// Encrypts bytes.
    ///
    /// - Parameters:
    ///   - key: 32 bytes.
    ///   - nonce: random bytes, drawn for this text alone.
    ///   - data: what must be the same when it is opened.
    public static func seal(
        _ plaintext: [UInt8], key: UnsafeRawBufferPointer, nonce: [UInt8], authenticating data: [UInt8]
    ) -> [UInt8] {
        precondition(key.count == 32 && nonce.count == nonceByteCount, "a key has 32 bytes, a nonce 24")
        var sealed = nonce + [UInt8](repeating: 0, count: plaintext.count + overhead - nonceByteCount)
        sealed.withUnsafeMutableBytes { memory in
            let place = UnsafeMutableRawBufferPointer(rebasing: memory.dropFirst(nonceByteCount)).octets
            _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
                place, nil, plaintext, UInt64(plaintext.count), data, UInt64(data.count), nil, nonce, key.octets)
        }
        return sealed
    }

    /// Checks and decrypts bytes.
    ///
    /// - Throws: ``CryptographyError/authentication`` if they, the data or the key are not those of sealing.
    public static func open(
        _ sealed: [UInt8], key: UnsafeRawBufferPointer, authenticating data: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        precondition(key.count == 32, "a key has 32 bytes")
        guard sealed.count >= overhead else { throw .authentication }
        var plaintext = [UInt8](repeating: 0, count: sealed.count - overhead)
        let result = sealed.withUnsafeBytes { memory in
            let box = UnsafeRawBufferPointer(rebasing: memory.dropFirst(nonceByteCount))
            return crypto_aead_xchacha20poly1305_ietf_decrypt(
                &plaintext, nil, nil, box.octets, UInt64(box.count), data, UInt64(data.count), memory.octets, key.octets
            )
        }
        guard result == 0 else { throw .authentication }
        return plaintext
    }
}
