import Cryptography
import OperationLog
import Time

/// One end of an authenticated, encrypted connection, without the connection.
///
/// Feed it the bytes that arrive, send the bytes it returns. States: `handshaking` → `open` → `closed`, and from each
/// of them `failed`: any error is final. Messages are queued by urgency and sealed one chunk at a time, so that a live
/// message overtakes a bulk transfer in the middle.
///
/// It cannot be copied: two copies would seal different bytes under the same nonces.
public struct SecureChannel: ~Copyable, Sendable {
    /// How a message shares the connection with others.
    public enum Urgency: Hashable, Sendable {
        /// Goes before everything bulky.
        case live
        /// Goes when nothing live waits.
        case bulk
    }

    /// What arriving bytes brought about.
    public enum Event: Hashable, Sendable {
        /// The other side has proven who it is.
        case established(PeerIdentity, transcript: [UInt8])
        /// A whole message.
        case message([UInt8])
        /// The other side has closed; nothing was cut off.
        case closed
    }

    /// What both sides mix into the handshake: another version of the protocol cannot even begin.
    public static let prologue = Array("moot/1".utf8)
    /// How long a handshake may take.
    public static let handshakeDeadline: Duration = .seconds(3)
    /// Bytes a message may have: a batch of 1 MiB, an operation more, and the worst its references can grow on a relay.
    public static let maximumMessageBytes = 4 * 1024 * 1024
    /// Bytes of a message in one frame.
    public static let chunk = 16 * 1024
    /// What each message that waits counts in addition to its bytes: else a great many small ones would take a multiple
    /// of what they count.
    public static let messageOverhead = 64
    /// Bytes of the longest frame, its length included.
    static let maximumFrameBytes = 2 + 1 + chunk + CipherState.tagByteCount
    /// Bytes of the longest handshake message: two keys with the second's tag, and a proof with its own.
    static let maximumHandshakeBytes =
        2 * AgreementKey.byteCount + DeviceProof.maximumBytes + 2 * CipherState.tagByteCount
    /// Frames under one key of one direction.
    public static let framesPerKey = 1 << 20
    /// The life of one key of one direction.
    public static let keyLifetime: Duration = .seconds(3_600)

    private enum State: ~Copyable, Sendable {
        case handshaking(HandshakeState)
        case open(receiving: CipherState)
        case closed
        case failed(ChannelError)
    }

    /// Whether we dialed.
    public let role: HandshakeState.Role
    private let author: Author
    private let record: IdentityRecord
    private let expected: DeviceID?
    private var state: State
    private var incoming: [UInt8] = []
    private var assembler = MessageAssembler()
    private var outbox: Outbox?

    /// Begins a channel.
    ///
    /// - Parameters:
    ///   - author: the device we prove to be, certified by `record`.
    ///   - channelKey: our static X25519 key.
    ///   - expected: the device we mean to reach, if we know it.
    public init(
        role: HandshakeState.Role, author: Author, record: IdentityRecord, channelKey: AgreementKey,
        expecting expected: DeviceID?, using random: inout some RandomNumberGenerator
    ) {
        self.role = role
        self.author = author
        self.record = record
        self.expected = expected
        state = .handshaking(
            HandshakeState(
                role: role, staticKey: channelKey, ephemeralKey: .generate(using: &random), prologue: Self.prologue))
    }

    /// Whether messages can be sent.
    public var isOpen: Bool { outbox != nil }

    /// Bytes of messages that wait to be sealed, with ``messageOverhead`` for each.
    public var queuedBytes: Int {
        switch outbox {
        case .some(let outbox): outbox.queuedBytes
        case nil: 0
        }
    }

    /// Those of live messages.
    public var queuedLiveBytes: Int {
        switch outbox {
        case .some(let outbox): outbox.queuedLiveBytes
        case nil: 0
        }
    }

    /// Bytes that came of messages that have not come whole.
    public var partialBytes: Int { incoming.count + assembler.byteCount }

    /// The initiator's first bytes; nothing for the responder.
    public mutating func start() throws(ChannelError) -> [UInt8] {
        switch takeState() {
        case .handshaking(var handshake):
            let bytes = handshake.isOurTurn ? try write(&handshake) : []
            state = .handshaking(handshake)
            return bytes
        case let other:
            state = other
            return []
        }
    }

    /// Takes in bytes as they arrive, cut anywhere.
    ///
    /// - Parameter isConnected: whether there is another connection to who answers a dial. Then we do not say who we
    ///   are.
    /// - Returns: bytes to send at once, and what happened, in order. What follows the other side's close is not looked
    ///   at.
    /// - Throws: ``ChannelError``; then the connection must be dropped, and with it what had arrived together with the
    ///   bad bytes.
    /// - Complexity: O(*n*), near the speed of the cipher.
    public mutating func receive(
        _ bytes: consuming [UInt8], at now: Instant, isConnected: (PeerIdentity) -> Bool = { _ in false }
    ) throws(ChannelError) -> (reply: [UInt8], events: [Event]) {
        do throws(ChannelError) {
            return try take(bytes, at: now, isConnected)
        } catch {
            state = .failed(error)
            outbox = nil
            incoming = []
            throw error
        }
    }

    /// Queues a message, unless it exceeds ``maximumMessageBytes``: the other side would not take it.
    ///
    /// - Precondition: the channel is open.
    /// - Returns: whether it was queued.
    @discardableResult
    public mutating func enqueue(_ message: [UInt8], urgency: Urgency) -> Bool {
        guard message.count <= Self.maximumMessageBytes else { return false }
        outbox?.enqueue(message, urgency: urgency)
        return true
    }

    /// Seals the next chunks of what is queued, live messages first, up to about `limit` bytes; empty when nothing
    /// waits.
    public mutating func nextFrames(upTo limit: Int, at now: Instant) throws(ChannelError) -> [UInt8] {
        try outbox?.nextFrames(upTo: limit, at: now) ?? []
    }

    /// Says goodbye: the other side can tell this from a connection that was cut. Queued messages are dropped.
    public mutating func close() throws(ChannelError) -> [UInt8] {
        state = .closed
        let bytes = try outbox?.close() ?? []
        outbox = nil
        return bytes
    }

    /// Judges the end of the connection: a cut-off one is an error.
    public func finish() throws(ChannelError) {
        switch state {
        case .handshaking: throw .truncated
        case .open: throw .truncated
        case .closed: break
        case .failed(let error): throw error
        }
    }

    private mutating func take(
        _ bytes: consuming [UInt8], at now: Instant, _ isConnected: (PeerIdentity) -> Bool
    ) throws(ChannelError) -> (reply: [UInt8], events: [Event]) {
        if incoming.isEmpty { incoming = bytes } else { incoming += bytes }
        var reply: [UInt8] = []
        var events: [Event] = []
        var offset = 0
        while incoming.count - offset >= 2 {
            let length = Int(incoming[offset]) << 8 | Int(incoming[offset + 1])
            try check(length)
            let frame = offset + 2..<offset + 2 + length
            guard frame.upperBound <= incoming.count else { break }
            offset = frame.upperBound
            switch takeState() {
            case .handshaking(let handshake):
                let message = Array(incoming[frame])
                state = try advance(
                    handshake, with: message, at: now, isConnected, reply: &reply, events: &events)
            case .open(let receiving):
                state = try open(frame, with: receiving, events: &events)
                guard isOpen else {
                    incoming = []
                    return (reply, events)
                }
            case .closed:
                throw .closed
            case .failed(let error):
                throw error
            }
        }
        incoming.removeFirst(offset)
        return (reply, events)
    }

    /// Takes the state out. The caller puts the next one in its place, unless it throws: every error is final.
    private mutating func takeState() -> State {
        var taken = State.failed(.closed)
        swap(&taken, &state)
        return taken
    }

    /// Refuses a length before anything waits for so many bytes.
    private func check(_ length: Int) throws(ChannelError) {
        let allowed =
            switch state {
            case .handshaking: AgreementKey.byteCount...Self.maximumHandshakeBytes
            case .open: CipherState.tagByteCount + 1...Self.maximumFrameBytes - 2
            case .closed: throw ChannelError.closed
            case .failed(let error): throw error
            }
        guard allowed.contains(length) else { throw .badLength(length) }
    }

    // MARK: - Handshake

    /// Takes in a message of the handshake.
    ///
    /// - Returns: the next state.
    private mutating func advance(
        _ handshake: consuming HandshakeState, with message: [UInt8], at now: Instant,
        _ isConnected: (PeerIdentity) -> Bool, reply: inout [UInt8], events: inout [Event]
    ) throws(ChannelError) -> State {
        guard !handshake.isOurTurn else { throw .badHandshake }
        let payload: [UInt8]
        let transcript: [UInt8]
        do throws(CryptographyError) {
            (payload, transcript) = try handshake.read(message)
        } catch {
            throw .badHandshake
        }
        guard let remoteStatic = handshake.remoteStatic else {
            // The first message carries no proof: the sender's key comes later.
            guard payload.isEmpty else { throw .badHandshake }
            reply += try write(&handshake)
            return .handshaking(handshake)
        }
        let other: HandshakeState.Role = role == .initiator ? .responder : .initiator
        let (peer, capabilities) = try DeviceProof.check(
            payload, role: other, transcript: transcript, staticKey: remoteStatic)
        guard peer.device.id != author.device.id else { throw .ourselves }
        if let expected, expected != peer.device.id { throw .wrongDevice(peer.device.id) }
        if handshake.isOurTurn {
            guard !isConnected(peer) else { throw .alreadyConnected(peer.device.id) }
            reply += try write(&handshake)
        }
        events.append(.established(peer, transcript: handshake.transcript))
        let ciphers = handshake.split()
        outbox = Outbox(cipher: ciphers.sending, since: now, packs: capabilities.contains(.packedMessages))
        return .open(receiving: ciphers.receiving)
    }

    private func write(_ handshake: inout HandshakeState) throws(ChannelError) -> [UInt8] {
        let isFirst = role == .initiator && handshake.remoteStatic == nil
        let staticKey = handshake.localStatic
        do throws(CryptographyError) {
            let message = try handshake.write { transcript in
                isFirst
                    ? []
                    : DeviceProof.make(
                        by: author, record: record, role: role, transcript: transcript, staticKey: staticKey)
            }
            return [UInt8(message.count >> 8), UInt8(message.count & 0xFF)] + message
        } catch {
            throw .badHandshake
        }
    }

    // MARK: - Frames

    /// Opens a frame.
    ///
    /// - Returns: the next state.
    private mutating func open(
        _ frame: Range<Int>, with receiving: consuming CipherState, events: inout [Event]
    ) throws(ChannelError) -> State {
        let plaintext: Range<Int>
        do throws(CryptographyError) {
            plaintext = try receiving.open(&incoming, in: frame)
        } catch {
            throw .badFrame
        }
        guard let kind = FrameKind(rawValue: incoming[plaintext.lowerBound]) else { throw .badFrame }
        let chunk = incoming[plaintext.dropFirst()]
        let message: [UInt8]?
        switch kind {
        case .live, .liveMore:
            message = try assembler.append(live: chunk, isLast: kind == .live)
        case .bulk, .bulkMore:
            message = try assembler.append(bulk: chunk, isLast: kind == .bulk)
        case .packed:
            message = try assembler.append(packed: chunk)
        case .rekey:
            guard chunk.isEmpty else { throw .badFrame }
            receiving.rekey()
            message = nil
        case .close:
            guard chunk.isEmpty else { throw .badFrame }
            outbox = nil
            events.append(.closed)
            return .closed
        }
        if let message { events.append(.message(message)) }
        return .open(receiving: receiving)
    }
}
