import CSodium

/// The chaining key and the transcript hash of a handshake (Noise specification, section 5.2).
struct SymmetricState: Sendable {
    /// Bytes of a BLAKE2b hash.
    static let hashByteCount = 64
    /// Bytes of a BLAKE2b block.
    static let blockByteCount = 128

    private(set) var cipher = CipherState()
    private(set) var transcript: [UInt8]
    private var chainingKey: [UInt8]

    init(protocolName: String) {
        let name = Array(protocolName.utf8)
        transcript =
            name.count <= Self.hashByteCount
            ? name + [UInt8](repeating: 0, count: Self.hashByteCount - name.count) : Self.hash(name)
        chainingKey = transcript
    }

    mutating func mixHash(_ data: [UInt8]) {
        transcript = Self.hash(transcript + data)
    }

    mutating func mixKey(_ input: SecretBytes) {
        let (chain, key) = Self.expand(chainingKey, input.withUnsafeBytes { Array($0) })
        chainingKey = chain
        cipher = CipherState(key: SecretBytes(Array(key.prefix(32))))
    }

    mutating func encryptAndHash(_ plaintext: [UInt8]) throws(CryptographyError) -> [UInt8] {
        let sealed = try cipher.encrypt(plaintext, authenticating: transcript)
        mixHash(sealed)
        return sealed
    }

    mutating func decryptAndHash(_ sealed: [UInt8]) throws(CryptographyError) -> [UInt8] {
        let plaintext = try cipher.decrypt(sealed, authenticating: transcript)
        mixHash(sealed)
        return plaintext
    }

    /// The keys of the two directions, the initiator's first.
    func split() -> (CipherState, CipherState) {
        let (first, second) = Self.expand(chainingKey, [])
        return (
            CipherState(key: SecretBytes(Array(first.prefix(32)))),
            CipherState(key: SecretBytes(Array(second.prefix(32))))
        )
    }

    private static func hash(_ data: [UInt8]) -> [UInt8] {
        var hash = Blake2b(byteCount: hashByteCount)
        hash.update(data)
        return hash.finalize()
    }

    /// HKDF with two outputs (section 4.3).
    private static func expand(_ chainingKey: [UInt8], _ input: [UInt8]) -> ([UInt8], [UInt8]) {
        let key = authenticate(key: chainingKey, input)
        let first = authenticate(key: key, [1])
        return (first, authenticate(key: key, first + [2]))
    }

    /// HMAC (RFC 2104) over unkeyed BLAKE2b, as Noise defines it for every hash: BLAKE2b's own key would give other bytes.
    private static func authenticate(key: [UInt8], _ data: [UInt8]) -> [UInt8] {
        precondition(key.count <= blockByteCount, "a chaining key fits a block")
        let padded = key + [UInt8](repeating: 0, count: blockByteCount - key.count)
        return hash(padded.map { $0 ^ 0x5C } + hash(padded.map { $0 ^ 0x36 } + data))
    }
}
