import CSodium

/// A key and a counter that never repeats: one direction of a channel (Noise specification, revision 34, section 5.1).
///
/// ChaCha20-Poly1305 with the nonce of four zero bytes and the counter, least significant byte first.
public struct CipherState: Sendable {
    /// Bytes that sealing adds.
    public static let tagByteCount = 16

    private var key: SecretBytes?
    private var counter: UInt64 = 0

    /// Seals nothing until it has a key.
    init(key: SecretBytes? = nil) {
        self.key = key
    }

    /// Whether there is a key.
    var hasKey: Bool { key != nil }

    /// Encrypts and authenticates; without a key returns the text as it is.
    public mutating func encrypt(
        _ plaintext: some Collection<UInt8>, authenticating data: [UInt8] = []
    ) throws(CryptographyError) -> [UInt8] {
        guard let key else { return Array(plaintext) }
        let plaintext = Array(plaintext)
        let nonce = try nextNonce()
        var sealed = [UInt8](repeating: 0, count: plaintext.count + Self.tagByteCount)
        crypto_aead_chacha20poly1305_ietf_encrypt(
            &sealed, nil, plaintext, UInt64(plaintext.count), data, UInt64(data.count), nil, nonce, key.start)
        return sealed
    }

    /// Checks and decrypts; without a key returns the bytes as they are.
    ///
    /// - Throws: ``CryptographyError/authentication`` if anything was changed.
    public mutating func decrypt(
        _ sealed: some Collection<UInt8>, authenticating data: [UInt8] = []
    ) throws(CryptographyError) -> [UInt8] {
        guard let key else { return Array(sealed) }
        let sealed = Array(sealed)
        guard sealed.count >= Self.tagByteCount else { throw .authentication }
        let nonce = try nextNonce()
        var plaintext = [UInt8](repeating: 0, count: sealed.count - Self.tagByteCount)
        let result = crypto_aead_chacha20poly1305_ietf_decrypt(
            &plaintext, nil, nil, sealed, UInt64(sealed.count), data, UInt64(data.count), nonce, key.start)
        guard result == 0 else {
            counter -= 1
            throw .authentication
        }
        return plaintext
    }

    /// Replaces the key by one that says nothing of the old; the counter goes on (section 4.2, `REKEY`).
    public mutating func rekey() {
        guard let key else { return }
        var fresh = [UInt8](repeating: 0, count: 32 + Self.tagByteCount)
        crypto_aead_chacha20poly1305_ietf_encrypt(
            &fresh, nil, [UInt8](repeating: 0, count: 32), 32, nil, 0, nil, Self.nonce(.max), key.start)
        self.key = SecretBytes(Array(fresh.prefix(32)))
        sodium_memzero(&fresh, fresh.count)
    }

    private mutating func nextNonce() throws(CryptographyError) -> [UInt8] {
        // The last counter is reserved for rekeying.
        guard counter < .max else { throw .exhausted }
        defer { counter += 1 }
        return Self.nonce(counter)
    }

    private static func nonce(_ counter: UInt64) -> [UInt8] {
        [0, 0, 0, 0] + withUnsafeBytes(of: counter.littleEndian) { Array($0) }
    }
}
