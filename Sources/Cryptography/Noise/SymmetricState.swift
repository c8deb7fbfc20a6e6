/// The chaining key and the transcript hash of a handshake (Noise specification, section 5.2).
struct SymmetricState: ~Copyable, Sendable {
    /// What encrypts, once two keys have been mixed.
    private(set) var cipher: CipherState?
    /// The hash of everything so far.
    private(set) var transcript: [UInt8]
    private var chainingKey: SecretBytes

    init(protocolName: String) {
        let name = Array(protocolName.utf8)
        precondition(name.count <= KeyDerivation.hashByteCount, "a name that fits a hash is padded, not hashed")
        transcript = name + [UInt8](repeating: 0, count: KeyDerivation.hashByteCount - name.count)
        chainingKey = SecretBytes(transcript)
    }

    mutating func mixHash(_ data: [UInt8]) {
        var hash = Blake2b(byteCount: KeyDerivation.hashByteCount)
        hash.update(transcript)
        hash.update(data)
        transcript = hash.finalize()
    }

    mutating func mixKey(_ input: UnsafeRawBufferPointer) {
        let (chain, key) = KeyDerivation.expand(
            chainingKey, input, into: KeyDerivation.hashByteCount, and: CipherState.keyByteCount)
        chainingKey = chain
        cipher = CipherState(key: key)
    }

    /// Encrypts if there is a key, and mixes in what is sent.
    mutating func encryptAndHash(_ plaintext: [UInt8]) throws(CryptographyError) -> [UInt8] {
        var sent = plaintext
        try cipher?.seal(&sent, from: 0, authenticating: transcript)
        mixHash(sent)
        return sent
    }

    /// Decrypts if there is a key, and mixes in what was received.
    mutating func decryptAndHash(_ received: [UInt8]) throws(CryptographyError) -> [UInt8] {
        var bytes = received
        let plaintext = try cipher?.open(&bytes, in: bytes.indices, authenticating: transcript) ?? bytes.indices
        mixHash(received)
        return Array(bytes[plaintext])
    }

    /// What encrypts in each direction.
    consuming func split(as role: HandshakeState.Role) -> ChannelCiphers {
        let (first, second) = KeyDerivation.expand(
            chainingKey, UnsafeRawBufferPointer(start: nil, count: 0), into: CipherState.keyByteCount,
            and: CipherState.keyByteCount)
        return switch role {
        case .initiator: ChannelCiphers(sending: CipherState(key: first), receiving: CipherState(key: second))
        case .responder: ChannelCiphers(sending: CipherState(key: second), receiving: CipherState(key: first))
        }
    }
}
