import CSodium

/// Secrets sealed to the holder of an X25519 key, by somebody who stays unknown: libsodium's `crypto_box_seal`.
///
/// The bytes are those of libsodium, but the ephemeral key comes from the given source, so that a simulation repeats
/// itself.
public enum SealedBox {
    /// Bytes that sealing adds: the ephemeral public key and the tag.
    public static let overhead = 48

    /// Seals a secret.
    ///
    /// - Throws: ``CryptographyError/weakKey``.
    /// - Complexity: two multiplications on the curve, about 80 µs.
    public static func seal(
        _ secret: SecretBytes, to publicKey: [UInt8], using random: inout some RandomNumberGenerator
    ) throws(CryptographyError) -> [UInt8] {
        precondition(publicKey.count == AgreementKey.byteCount, "a public key has 32 bytes")
        let fleeting = AgreementKey.generate(using: &random)
        var nonce = [UInt8](repeating: 0, count: Int(crypto_box_NONCEBYTES))
        let names = fleeting.publicKey + publicKey
        crypto_generichash(&nonce, nonce.count, names, UInt64(names.count), nil, 0)
        var box = [UInt8](repeating: 0, count: secret.count + Int(crypto_box_MACBYTES))
        let result = fleeting.withSecret { key in
            crypto_box_easy(&box, secret.start, UInt64(secret.count), nonce, publicKey, key)
        }
        guard result == 0 else { throw .weakKey }
        return fleeting.publicKey + box
    }
}

extension AgreementKey {
    /// Opens what was sealed to this key.
    ///
    /// - Throws: ``CryptographyError/authentication`` for anything else.
    /// - Complexity: a multiplication on the curve, about 60 µs.
    public func open(_ sealed: [UInt8]) throws(CryptographyError) -> SecretBytes {
        let count = sealed.count - SealedBox.overhead
        guard (1...SecretBytes.maximumBytes).contains(count) else { throw .authentication }
        var isOpen = false
        let secret = SecretBytes(count: count) { memory in
            isOpen = withSecret { key in
                crypto_box_seal_open(memory.octets, sealed, UInt64(sealed.count), publicKey, key) == 0
            }
        }
        guard isOpen else { throw .authentication }
        return secret
    }
}
