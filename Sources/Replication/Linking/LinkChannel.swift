import Cryptography
import OperationLog

/// One end of the conversation by which a host becomes a device of a user, without the connection.
///
/// The host that holds the root dials, with a code that the new host shows. Both prove that they know the code's
/// secret, in a handshake with a prologue of its own. Then both users look at the same six digits and agree, and only
/// then is anything signed or given away: whoever photographed the code cannot adopt the host unseen, and nobody gives
/// their conversations to the wrong one.
///
/// States: `handshaking` → `met` → `agreed` → `done`, and from each of them `failed`: any error is final. It cannot be
/// copied, for two copies would seal different bytes under the same nonces.
public struct LinkChannel: ~Copyable, Sendable {
    /// What arriving bytes brought about.
    public enum Event: Hashable, Sendable {
        /// Whoever dialed knows the secret, and proves it by this. The same proof once more is one that somebody
        /// overheard.
        case begun(proof: [UInt8])
        /// Both sides have proven themselves: now their users compare the digits.
        case met(ProfileCard, digits: String)
        /// The user of the new host agrees, who has this key.
        case consented(WrapRecord)
        /// This host is a device of the user now, as soon as it has stored this.
        case welcomed(Introduction)
        /// The new host has stored what it was given: the introduction, and then the root.
        case stored
        /// This host, which is a device of the user by now, is to hold the user's root as well, whose seed this is.
        case entrusted([UInt8])
    }

    /// What a side is and has.
    public enum Side: Sendable {
        /// The host that makes another one a device of its user: the user's root, their card and this device.
        case holder(root: SigningKey, card: ProfileCard)
        /// The host that becomes a device, by the key of the code.
        case newcomer(SigningKey)

        var role: HandshakeState.Role {
            switch self {
            case .holder: .initiator
            case .newcomer: .responder
            }
        }
    }

    /// Bytes of the longest frame, its length included.
    static let maximumFrameBytes = 2 + LinkMessage.maximumBytes + CipherState.tagByteCount
    /// Bytes of the longest message of the handshake. The first one carries a commitment to the static key that comes
    /// with the last one and a proof, the others nothing.
    private static let maximumHandshakeBytes = 2 * (AgreementKey.byteCount + CipherState.tagByteCount)

    private enum State: ~Copyable, Sendable {
        case handshaking(HandshakeState)
        case open(ChannelCiphers, transcript: [UInt8], Step)
        case failed(LinkError)
    }

    /// What comes next.
    private enum Step: Hashable {
        /// The other side proves itself.
        case proof
        /// The new host's user agrees.
        case agreement
        /// The holder's welcome comes.
        case welcome
        /// The new host says that it has stored what it got.
        case storing
        /// The root may come.
        case root
        /// Nothing but a refusal.
        case end
    }

    private let side: Side
    private let invitation: LinkInvitation
    private var state: State
    private var incoming: [UInt8] = []
    /// What the holder bound its static key to with its first message. It speaks last: without that it could try keys
    /// until the digits are those that another host shows.
    private var commitment: [UInt8]?
    /// The card of the user whose device the new host becomes.
    private var card: ProfileCard?
    /// Whether this host has said that it has stored what it was welcomed with.
    private var isConfirmed = false

    /// Begins.
    public init(
        _ side: Side, by invitation: LinkInvitation, using random: inout some RandomNumberGenerator
    ) {
        self.side = side
        self.invitation = invitation
        if case .holder(_, let card) = side { self.card = card }
        state = .handshaking(
            HandshakeState(
                role: side.role, staticKey: .generate(using: &random), ephemeralKey: .generate(using: &random),
                prologue: invitation.prologue))
    }

    /// The holder's first bytes; nothing for the newcomer.
    public mutating func start() throws(LinkError) -> [UInt8] {
        switch takeState() {
        case .handshaking(var handshake):
            let key = handshake.localStatic
            let commitment = Self.commitment(to: key)
            let payload = commitment + invitation.proof(ofCommitment: commitment)
            let bytes = handshake.isOurTurn ? try Self.write(&handshake, carrying: payload) : []
            state = .handshaking(handshake)
            return bytes
        case let other:
            state = other
            return []
        }
    }

    /// Takes in bytes as they arrive, cut anywhere.
    ///
    /// - Returns: bytes to send at once, and what happened.
    /// - Throws: ``LinkError``; then the connection is of no more use.
    public mutating func receive(_ bytes: [UInt8]) throws(LinkError) -> (reply: [UInt8], events: [Event]) {
        do throws(LinkError) {
            return try take(bytes)
        } catch {
            state = .failed(error)
            incoming = []
            throw error
        }
    }

    /// The newcomer's user agrees.
    ///
    /// - Precondition: the sides have met.
    public mutating func consent(with wrap: WrapRecord) throws(LinkError) -> [UInt8] {
        try send(.consent(wrap: wrap.encoded), then: .welcome)
    }

    /// The holder has made the host a device.
    ///
    /// - Precondition: the newcomer's user has agreed.
    public mutating func welcome(with introduction: Introduction) throws(LinkError) -> [UInt8] {
        try send(.welcome(introduction.encoded), then: .storing)
    }

    /// The holder lets the device hold the root, too.
    ///
    /// - Precondition: the newcomer has stored what it was welcomed with. So no host has the root that was not made a
    ///   device to the end.
    public mutating func entrust(with seed: SecretBytes) throws(LinkError) -> [UInt8] {
        try send(.root(seed.withUnsafeBytes { Array($0) }), then: .storing)
    }

    /// The newcomer has stored what it was given, the first time the introduction, the second time the root.
    public mutating func confirm() throws(LinkError) -> [UInt8] {
        isConfirmed.toggle()
        return try send(.stored, then: isConfirmed ? .root : .end)
    }

    /// The user of this host says no.
    public mutating func refuse() throws(LinkError) -> [UInt8] { try send(.refusal, then: .end) }

    // MARK: - Sending

    private mutating func takeState() -> State {
        var taken = State.failed(.ended)
        swap(&taken, &state)
        return taken
    }

    private mutating func send(_ message: LinkMessage, then next: Step) throws(LinkError) -> [UInt8] {
        switch takeState() {
        case .open(var ciphers, let transcript, _):
            let frame = try Self.seal(message, with: &ciphers.sending)
            state = .open(ciphers, transcript: transcript, next)
            return frame
        case .handshaking: throw .malformed
        case .failed(let error): throw error
        }
    }

    private static func seal(_ message: LinkMessage, with cipher: inout CipherState) throws(LinkError) -> [UInt8] {
        var frame = [0, 0] + message.encoded
        do throws(CryptographyError) {
            try cipher.seal(&frame, from: 2)
        } catch {
            throw .badFrame
        }
        frame[0] = UInt8((frame.count - 2) >> 8)
        frame[1] = UInt8((frame.count - 2) & 0xFF)
        return frame
    }

    private static func commitment(to staticKey: [UInt8]) -> [UInt8] {
        Digest.hash("moot/1/link-commit", staticKey).bytes
    }

    private static func write(
        _ handshake: inout HandshakeState, carrying payload: [UInt8] = []
    ) throws(LinkError) -> [UInt8] {
        do throws(CryptographyError) {
            let message = try handshake.write { _ in payload }
            return [UInt8(message.count >> 8), UInt8(message.count & 0xFF)] + message
        } catch {
            throw .malformed
        }
    }

    // MARK: - Receiving

    private mutating func take(_ bytes: [UInt8]) throws(LinkError) -> (reply: [UInt8], events: [Event]) {
        incoming += bytes
        var (reply, events): ([UInt8], [Event]) = ([], [])
        var offset = 0
        while incoming.count - offset >= 2 {
            let length = Int(incoming[offset]) << 8 | Int(incoming[offset + 1])
            try check(length)
            guard incoming.count - offset - 2 >= length else { break }
            let frame = Array(incoming[offset + 2..<offset + 2 + length])
            offset += 2 + length
            switch takeState() {
            case .handshaking(let handshake):
                state = try advance(handshake, with: frame, reply: &reply, events: &events)
            case .open(let ciphers, let transcript, let step):
                state = try open(frame, with: ciphers, transcript, step, reply: &reply, events: &events)
            case .failed(let error): throw error
            }
        }
        incoming.removeFirst(offset)
        return (reply, events)
    }

    /// Refuses a length before anything waits for so many bytes.
    private func check(_ length: Int) throws(LinkError) {
        let most =
            switch state {
            case .handshaking: Self.maximumHandshakeBytes
            case .open: Self.maximumFrameBytes - 2
            case .failed(let error): throw error
            }
        guard (1...most).contains(length) else { throw .malformed }
    }

    private mutating func advance(
        _ handshake: consuming HandshakeState, with message: [UInt8], reply: inout [UInt8], events: inout [Event]
    ) throws(LinkError) -> State {
        guard !handshake.isOurTurn, !handshake.isFinished else { throw .malformed }
        let payload: [UInt8]
        do throws(CryptographyError) {
            payload = try handshake.read(message).payload
        } catch {
            // Also where the other side does not mean this host: its prologue names another key.
            throw .unproven
        }
        if handshake.remoteStatic == nil {
            guard payload.count == 2 * Digest.byteCount else { throw .malformed }
            let (commitment, proof) = (Array(payload.prefix(Digest.byteCount)), Array(payload.suffix(Digest.byteCount)))
            guard Self.isSame(proof, invitation.proof(ofCommitment: commitment)) else { throw .unproven }
            self.commitment = commitment
            events.append(.begun(proof: proof))
        } else {
            guard payload.isEmpty else { throw .malformed }
        }
        if handshake.isOurTurn { reply += try Self.write(&handshake) }
        guard handshake.isFinished else { return .handshaking(handshake) }
        if case .newcomer = side {
            guard let key = handshake.remoteStatic, commitment == Self.commitment(to: key) else { throw .unproven }
        }
        let transcript = handshake.transcript
        var ciphers = handshake.split()
        if case .holder(let root, let card) = side {
            let signature = root.sign(statement(of: .initiator, transcript, about: invitation.key.bytes))
            let proof = invitation.proof(of: .initiator, transcript: transcript)
            reply += try Self.seal(
                .greeting(proof: proof, card: card.encoded, signature), with: &ciphers.sending)
        }
        return .open(ciphers, transcript: transcript, .proof)
    }

    private mutating func open(
        _ frame: [UInt8], with ciphers: consuming ChannelCiphers, _ transcript: [UInt8], _ step: Step,
        reply: inout [UInt8], events: inout [Event]
    ) throws(LinkError) -> State {
        var bytes = frame
        let plaintext: Range<Int>
        do throws(CryptographyError) {
            plaintext = try ciphers.receiving.open(&bytes, in: bytes.indices)
        } catch {
            throw .badFrame
        }
        let message: LinkMessage
        do throws(MalformedBytes) {
            message = try LinkMessage(decoding: Array(bytes[plaintext]))
        } catch {
            throw .malformed
        }
        switch (side, step, message) {
        case (_, _, .refusal): throw .refused
        case (.newcomer(let key), .proof, .greeting(let proof, let card, let signature)):
            let card = try check(proof, card, signature, transcript)
            self.card = card
            let answer = key.sign(statement(of: .responder, transcript, about: card.user.digest.bytes))
            reply += try Self.seal(
                .answer(proof: invitation.proof(of: .responder, transcript: transcript), answer),
                with: &ciphers.sending)
            events.append(.met(card, digits: Self.digits(of: transcript)))
            return .open(ciphers, transcript: transcript, .agreement)
        case (.holder(_, let card), .proof, .answer(let proof, let signature)):
            guard Self.isSame(proof, invitation.proof(of: .responder, transcript: transcript)),
                invitation.key.isValidPoint,
                invitation.key.verifies(
                    signature, of: statement(of: .responder, transcript, about: card.user.digest.bytes))
            else { throw .unproven }
            events.append(.met(card, digits: Self.digits(of: transcript)))
            return .open(ciphers, transcript: transcript, .agreement)
        case (.holder(_, let card), .agreement, .consent(let wrap)):
            let device = Device(user: card.user, key: invitation.key)
            guard let record = try? WrapRecord(verifying: wrap, among: [device]) else { throw .malformed }
            events.append(.consented(record))
        case (.newcomer(let key), .welcome, .welcome(let encoded)):
            events.append(.welcomed(try introduction(encoded, for: key)))
        case (.holder, .storing, .stored): events.append(.stored)
        case (.newcomer, .root, .root(let seed)):
            guard SigningKey(seed: seed)?.verifyingKey == card?.user.key else { throw .wrongWelcome }
            events.append(.entrusted(seed))
        default: throw .malformed
        }
        return .open(ciphers, transcript: transcript, .end)
    }

    /// Checks who dialed.
    private func check(
        _ proof: [UInt8], _ encoded: [UInt8], _ signature: Signature, _ transcript: [UInt8]
    ) throws(LinkError) -> ProfileCard {
        guard Self.isSame(proof, invitation.proof(of: .initiator, transcript: transcript)) else { throw .unproven }
        guard let card = try? ProfileCard(verifying: encoded), !card.isDeletion else { throw .malformed }
        guard
            card.user.key.verifies(signature, of: statement(of: .initiator, transcript, about: invitation.key.bytes))
        else { throw .unproven }
        return card
    }

    /// Reads a welcome, which must make this host a device of the user that was shown.
    private func introduction(_ encoded: [UInt8], for key: SigningKey) throws(LinkError) -> Introduction {
        guard let introduction = try? Introduction(verifying: encoded), let card,
            introduction.card.user == card.user,
            introduction.card.identity.certifies(Device(user: card.user, key: key.verifyingKey).id)
        else { throw .wrongWelcome }
        return introduction
    }

    // MARK: - Proofs

    private func statement(of role: HandshakeState.Role, _ transcript: [UInt8], about other: [UInt8]) -> [UInt8] {
        var statement = Statement("moot/1/link")
        statement.append([role.rawValue])
        statement.append(transcript)
        statement.append(other)
        return statement.bytes
    }

    /// Whether two proofs are equal, in the same time wherever they differ.
    private static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        SecretBytes(one).isSame(as: SecretBytes(other))
    }

    /// What both users compare: 6 decimal digits.
    static func digits(of transcript: [UInt8]) -> String {
        let hash = Digest.hash("moot/1/link-digits", transcript).bytes
        let number = hash.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000
        let digits = String(number)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }
}
