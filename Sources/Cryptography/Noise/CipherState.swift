import CSodium

/// A key and a counter that never repeats: one direction of a channel (Noise specification, revision 34, section 5.1).
///
/// ChaCha20-Poly1305 with the nonce of four zero bytes and the counter, least significant byte first. Sealing and
/// opening work on the bytes in place. It cannot be copied: two copies would use the same nonces twice.
public struct CipherState: ~Copyable, Sendable {
    /// Bytes that sealing adds.
    public static let tagByteCount = 16
    /// Bytes of a key.
    static let keyByteCount = 32
    /// The counter that no message may have: it is for rekeying.
    private static let lastCounter = UInt64.max

    private var key: SecretBytes
    private var counter: UInt64 = 0

    /// Begins at counter 0 under a key of 32 bytes.
    init(key: SecretBytes) {
        precondition(key.count == Self.keyByteCount, "a key has 32 bytes")
        self.key = key
    }

    /// Encrypts what is in `bytes` from `start` on, and appends the tag.
    ///
    /// - Throws: ``CryptographyError/exhausted`` after 2⁶⁴ − 1 messages.
    public mutating func seal(
        _ bytes: inout [UInt8], from start: Int, authenticating data: [UInt8] = []
    ) throws(CryptographyError) {
        guard counter < Self.lastCounter else { throw .exhausted }
        let count = bytes.count - start
        bytes.append(contentsOf: repeatElement(0, count: Self.tagByteCount))
        bytes.withUnsafeMutableBytes { memory in
            let place = UnsafeMutableRawBufferPointer(rebasing: memory[start...]).octets
            withNonce(counter) { nonce in
                _ = crypto_aead_chacha20poly1305_ietf_encrypt(
                    place, nil, place, UInt64(count), data, UInt64(data.count), nil, nonce, key.start)
            }
        }
        counter += 1
    }

    /// Checks and decrypts what is in a range of `bytes`.
    ///
    /// - Returns: where the plaintext now is; the tag's bytes are left behind it.
    /// - Throws: ``CryptographyError/authentication`` if anything was changed; the range then holds nothing of use.
    public mutating func open(
        _ bytes: inout [UInt8], in range: Range<Int>, authenticating data: [UInt8] = []
    ) throws(CryptographyError) -> Range<Int> {
        guard range.count >= Self.tagByteCount else { throw .authentication }
        guard counter < Self.lastCounter else { throw .exhausted }
        let result = bytes.withUnsafeMutableBytes { memory in
            let place = UnsafeMutableRawBufferPointer(rebasing: memory[range]).octets
            return withNonce(counter) { nonce in
                crypto_aead_chacha20poly1305_ietf_decrypt(
                    place, nil, nil, place, UInt64(range.count), data, UInt64(data.count), nonce, key.start)
            }
        }
        guard result == 0 else { throw .authentication }
        counter += 1
        return range.dropLast(Self.tagByteCount)
    }

    /// Replaces the key by one that tells nothing of the old; the counter goes on (section 4.2, `REKEY`).
    public mutating func rekey() {
        key = key.withUnsafeBytes { old in
            SecretBytes(count: Self.keyByteCount) { fresh in
                withScratch(Self.keyByteCount + Self.tagByteCount) { sealed in
                    withNonce(Self.lastCounter) { nonce in
                        _ = crypto_aead_chacha20poly1305_ietf_encrypt(
                            sealed.octets, nil, sealed.octets, UInt64(Self.keyByteCount), nil, 0, nil, nonce, old.octets
                        )
                    }
                    fresh.copyMemory(from: UnsafeRawBufferPointer(rebasing: sealed.prefix(Self.keyByteCount)))
                }
            }
        }
    }
}
