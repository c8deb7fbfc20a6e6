import CSodium

/// A key under which secrets are stored on disk, itself in guarded memory.
///
/// A sealed secret is 24 random bytes, then XChaCha20-Poly1305 of the secret with those as the nonce and its
/// ``StorageLocation`` as the associated data. Nonces of that length may be drawn for as many secrets as a disk holds.
public struct StorageKey: Sendable {
    /// Bytes of a key.
    public static let byteCount = 32
    /// Bytes that sealing adds.
    public static let overhead = nonceByteCount + Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)
    private static let nonceByteCount = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)

    private let secret: SecretBytes

    /// Takes over a key.
    ///
    /// - Precondition: `key` has 32 bytes.
    public init(_ key: SecretBytes) {
        precondition(key.count == Self.byteCount, "a key has 32 bytes")
        secret = key
    }

    /// Draws a new key.
    public static func generate(using random: inout some RandomNumberGenerator) -> StorageKey {
        StorageKey(SecretBytes(count: byteCount, using: &random))
    }

    /// Seals a secret for one place.
    ///
    /// - Returns: ``overhead`` bytes more than the secret has.
    /// - Complexity: O(*n*), about 2 µs for a key.
    public func seal(
        _ plaintext: SecretBytes, in cell: StorageLocation, using random: inout some RandomNumberGenerator
    ) -> [UInt8] {
        plaintext.withUnsafeBytes { seal($0, in: cell, using: &random) }
    }

    /// Seals for one place what is no key, and may be long: words of the user.
    ///
    /// - Precondition: there is a byte.
    /// - Returns: ``overhead`` bytes more than there were.
    public func seal(_ plaintext: [UInt8], in cell: StorageLocation, using random: inout some RandomNumberGenerator)
        -> [UInt8]
    {
        plaintext.withUnsafeBytes { seal($0, in: cell, using: &random) }
    }

    private func seal(
        _ plaintext: UnsafeRawBufferPointer, in cell: StorageLocation, using random: inout some RandomNumberGenerator
    ) -> [UInt8] {
        let data = cell.statement.bytes
        let nonce = random.bytes(Self.nonceByteCount)
        var sealed = nonce + [UInt8](repeating: 0, count: plaintext.count + Self.overhead - nonce.count)
        sealed.withUnsafeMutableBytes { memory in
            let place = UnsafeMutableRawBufferPointer(rebasing: memory[Self.nonceByteCount...]).octets
            _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
                place, nil, plaintext.octets, UInt64(plaintext.count), data, UInt64(data.count), nil, nonce,
                secret.start)
        }
        return sealed
    }

    /// Opens what was sealed for a place.
    ///
    /// - Throws: ``CryptographyError/authentication`` if it was changed or cut, or sealed under another key or for
    ///   another place.
    /// - Complexity: O(*n*), about 2 µs for a key.
    public func open(_ sealed: [UInt8], in cell: StorageLocation) throws(CryptographyError) -> SecretBytes {
        let count = sealed.count - Self.overhead
        guard (0...SecretBytes.maximumBytes).contains(count) else { throw .authentication }
        var isAuthentic = false
        let plaintext = SecretBytes(count: count) { isAuthentic = open(sealed, in: cell, into: $0) }
        guard isAuthentic else { throw .authentication }
        return plaintext
    }

    /// Opens what is no key and was sealed for a place.
    ///
    /// - Throws: ``CryptographyError/authentication`` as ``open(_:in:)`` does.
    public func openBytes(_ sealed: [UInt8], in cell: StorageLocation) throws(CryptographyError) -> [UInt8] {
        let count = sealed.count - Self.overhead
        guard count > 0 else { throw .authentication }
        var plaintext = [UInt8](repeating: 0, count: count)
        let isAuthentic = plaintext.withUnsafeMutableBytes { open(sealed, in: cell, into: $0) }
        guard isAuthentic else { throw .authentication }
        return plaintext
    }

    /// - Parameter plaintext: has room for exactly what was sealed.
    private func open(_ sealed: [UInt8], in cell: StorageLocation, into plaintext: UnsafeMutableRawBufferPointer)
        -> Bool
    {
        let data = cell.statement.bytes
        return sealed.withUnsafeBytes { memory in
            crypto_aead_xchacha20poly1305_ietf_decrypt(
                plaintext.octets, nil, nil, memory.octets + Self.nonceByteCount,
                UInt64(memory.count - Self.nonceByteCount), data, UInt64(data.count), memory.octets, secret.start) == 0
        }
    }

    /// Seals another key for one place.
    public func seal(_ key: StorageKey, in cell: StorageLocation, using random: inout some RandomNumberGenerator)
        -> [UInt8]
    {
        seal(key.secret, in: cell, using: &random)
    }

    /// Opens a key that was sealed for a place.
    ///
    /// - Throws: ``CryptographyError/authentication`` as ``open(_:in:)`` does, and if it is no key.
    public func openKey(_ sealed: [UInt8], in cell: StorageLocation) throws(CryptographyError) -> StorageKey {
        let key = try open(sealed, in: cell)
        guard key.count == Self.byteCount else { throw .authentication }
        return StorageKey(key)
    }

    /// What something is called on a disk that must not tell what it is: BLAKE2b-256 of a statement about it, under
    /// this key.
    ///
    /// Equal statements have equal names. Without the key nobody can tell whether a name is that of a statement.
    public func name(for statement: Statement) -> Digest { secret.digest(of: statement.bytes) }

    /// Whether both are the same key; in the same time wherever they differ.
    public func isSame(as other: StorageKey) -> Bool {
        secret.isSame(as: other.secret)
    }

    /// Lends the bytes; they must not be kept.
    public func withUnsafeBytes<Result, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try secret.withUnsafeBytes(body)
    }
}
