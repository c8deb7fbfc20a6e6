/// One side of a `Noise_XX_25519_ChaChaPoly_BLAKE2b` handshake (Noise specification, section 5.3).
///
/// ```
/// → e
/// ← e, ee, s, es
/// → s, se
/// ```
///
/// Messages alternate, the initiator's first; after the third both sides ``split()``. It cannot be copied: two copies
/// would encrypt different messages under the same nonces.
public struct HandshakeState: ~Copyable, Sendable {
    /// Who dialed.
    public enum Role: UInt8, Hashable, Sendable {
        case initiator = 0
        case responder = 1
    }

    private enum Token {
        case e, ee, s, es, se
    }

    /// The Noise protocol this is.
    public static let protocolName = "Noise_XX_25519_ChaChaPoly_BLAKE2b"
    /// How many messages a handshake has.
    public static let messageCount = 3
    private static let pattern: [[Token]] = [[.e], [.e, .ee, .s, .es], [.s, .se]]

    /// This side.
    public let role: Role
    /// The other side's static key, once it has been received and authenticated by the transcript.
    public private(set) var remoteStatic: [UInt8]?
    private var symmetric: SymmetricState
    private let staticKey: AgreementKey
    private let ephemeralKey: AgreementKey
    private var remoteEphemeral: [UInt8]?
    private var step = 0

    /// Begins a handshake.
    ///
    /// - Parameters:
    ///   - ephemeralKey: a fresh key, never used twice.
    ///   - prologue: bytes both sides must agree on.
    public init(role: Role, staticKey: AgreementKey, ephemeralKey: AgreementKey, prologue: [UInt8]) {
        self.role = role
        self.staticKey = staticKey
        self.ephemeralKey = ephemeralKey
        symmetric = SymmetricState(protocolName: Self.protocolName)
        symmetric.mixHash(prologue)
    }

    /// Whether all messages have been exchanged.
    public var isFinished: Bool { step == Self.messageCount }
    /// Whether the next message is ours to write.
    public var isOurTurn: Bool { !isFinished && (step % 2 == 0) == (role == .initiator) }
    /// The hash of everything so far.
    public var transcript: [UInt8] { symmetric.transcript }
    /// Our public static key.
    public var localStatic: [UInt8] { staticKey.publicKey }

    /// Writes the next message with a payload that may depend on the transcript so far, the message's keys included.
    ///
    /// - Precondition: it is our turn.
    public mutating func write(
        payload makePayload: (_ transcript: [UInt8]) -> [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        precondition(isOurTurn, "handshake messages alternate")
        var message: [UInt8] = []
        for token in Self.pattern[step] {
            switch token {
            case .e:
                message += ephemeralKey.publicKey
                symmetric.mixHash(ephemeralKey.publicKey)
            case .s:
                message += try symmetric.encryptAndHash(staticKey.publicKey)
            case .ee, .es, .se:
                try mix(token)
            }
        }
        message += try symmetric.encryptAndHash(makePayload(symmetric.transcript))
        step += 1
        return message
    }

    /// Reads the next message.
    ///
    /// - Returns: the payload, and the transcript hash before it, to which the payload may refer.
    /// - Throws: ``CryptographyError``; the handshake is then over.
    public mutating func read(
        _ message: [UInt8]
    ) throws(CryptographyError) -> (payload: [UInt8], transcript: [UInt8]) {
        precondition(!isOurTurn && !isFinished, "handshake messages alternate")
        var rest = message[...]
        for token in Self.pattern[step] {
            switch token {
            case .e:
                let key = try Self.take(AgreementKey.byteCount, from: &rest)
                remoteEphemeral = key
                symmetric.mixHash(key)
            case .s:
                let room = AgreementKey.byteCount + (symmetric.cipher == nil ? 0 : CipherState.tagByteCount)
                remoteStatic = try symmetric.decryptAndHash(Self.take(room, from: &rest))
            case .ee, .es, .se:
                try mix(token)
            }
        }
        let before = symmetric.transcript
        let payload = try symmetric.decryptAndHash(Array(rest))
        step += 1
        return (payload, before)
    }

    /// Ends the handshake with the ciphers of the channel.
    ///
    /// - Precondition: the handshake is finished.
    public consuming func split() -> ChannelCiphers {
        precondition(isFinished, "a handshake has three messages")
        return symmetric.split(as: role)
    }

    private mutating func mix(_ token: Token) throws(CryptographyError) {
        let isInitiator = role == .initiator
        let (local, remote): (AgreementKey, [UInt8]?) =
            switch token {
            case .ee: (ephemeralKey, remoteEphemeral)
            case .es: isInitiator ? (ephemeralKey, remoteStatic) : (staticKey, remoteEphemeral)
            case .se: isInitiator ? (staticKey, remoteEphemeral) : (ephemeralKey, remoteStatic)
            case .e, .s: preconditionFailure("keys are sent, not mixed")
            }
        guard let remote else { preconditionFailure("the pattern sends keys before it mixes them") }
        try local.withSharedSecret(with: remote) { symmetric.mixKey($0) }
    }

    private static func take(_ count: Int, from bytes: inout ArraySlice<UInt8>) throws(CryptographyError) -> [UInt8] {
        guard bytes.count >= count else { throw .authentication }
        defer { bytes = bytes.dropFirst(count) }
        return Array(bytes.prefix(count))
    }
}
