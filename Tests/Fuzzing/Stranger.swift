import Cryptography
import OperationLog
import OperationLogFixtures
import Replication
import Time

/// Alice as they dial Bob, with a handshake that lets her send what no node would.
///
/// No randomness is in it, so that strangers in one state are the same each time. Each serves one input.
struct Stranger: ~Copyable {
    /// Bob's end.
    private(set) var bob: SecureChannel
    /// What they have sent so far, and the last of it.
    private(set) var lastSent: [UInt8]
    /// Until the proof is sent.
    private var handshake: HandshakeState?
    private var sending: CipherState?

    static let now = Instant(sinceStart: .zero)

    /// Both have sent their first message; Alice has yet to prove their device.
    static func beforeProof() -> Stranger {
        meeting { stranger throws in try stranger.exchangeKeys() }
    }

    /// The channel is open.
    static func open() -> Stranger {
        meeting { stranger throws in
            try stranger.exchangeKeys()
            _ = try stranger.send(proof: nil)
        }
    }

    /// A channel of Alice's that dials, or of Bob's that was dialed, before anything was said.
    static func channel(dialing: Bool) -> SecureChannel {
        var random = Constant()
        return dialing
            ? SecureChannel(
                role: .initiator, author: Cast.alice.author, record: Cast.aliceRecord,
                channelKey: Cast.aliceChannelKey, expecting: Cast.bob.device, using: &random)
            : SecureChannel(
                role: .responder, author: Cast.bob.author, record: Cast.bobRecord, channelKey: Cast.bobChannelKey,
                expecting: nil, using: &random)
    }

    private init() {
        bob = Self.channel(dialing: false)
        lastSent = []
        var random = Constant(value: 77)
        handshake = HandshakeState(
            role: .initiator, staticKey: Cast.aliceChannelKey, ephemeralKey: .generate(using: &random),
            prologue: SecureChannel.prologue)
    }

    private static func meeting(_ body: (inout Stranger) throws -> Void) -> Stranger {
        var stranger = Stranger()
        do {
            try body(&stranger)
        } catch {
            preconditionFailure("an honest handshake succeeds: \(error)")
        }
        return stranger
    }

    private mutating func exchangeKeys() throws {
        lastSent = Self.framed(try handshake?.write { _ in [] } ?? [])
        let reply = try bob.receive(lastSent, at: Self.now).reply
        _ = try handshake?.read(Array(reply.dropFirst(2)))
    }

    /// Bob's end, for others to send to.
    consuming func leave() -> SecureChannel { bob }

    /// Alice's proof: honest, or what `change` makes of the honest one's transcript. It can be sent once.
    mutating func send(
        proof: ((_ transcript: [UInt8]) -> [UInt8])?
    ) throws -> Result<[SecureChannel.Event], ChannelError> {
        guard var handshake = handshake.take() else { return .failure(.closed) }
        let message = try handshake.write { transcript in
            proof?(transcript) ?? Self.honestProof(transcript: transcript)
        }
        let ciphers = handshake.split()
        sending = .some(ciphers.sending)
        lastSent = Self.framed(message)
        do throws(ChannelError) {
            return .success(try bob.receive(lastSent, at: Self.now).events)
        } catch {
            return .failure(error)
        }
    }

    /// The frame of a kind that follows those before.
    mutating func frame(kind: UInt8, _ chunk: some Collection<UInt8>) throws -> [UInt8] {
        var bytes = [kind] + chunk
        try sending?.seal(&bytes, from: 0)
        return Self.framed(bytes)
    }

    /// Goes on with the next key.
    mutating func rekey() { sending?.rekey() }

    /// The proof a node would send as initiator.
    static func honestProof(transcript: [UInt8]) -> [UInt8] {
        var writer = CanonicalWriter()
        writer.write(data: Cast.aliceRecord.encoded)
        writer.write(raw: Cast.alice.author.device.key.bytes)
        writer.write(number: 1)
        return signed(writer.bytes, capabilities: [1], transcript: transcript)
    }

    /// A proof without its signature, signed.
    static func signed(_ proof: [UInt8], capabilities: [UInt8], transcript: [UInt8]) -> [UInt8] {
        var statement = Statement("moot/1/channel")
        statement.append([HandshakeState.Role.initiator.rawValue])
        statement.append(transcript)
        statement.append(Cast.aliceChannelKey.publicKey)
        statement.append(capabilities)
        return proof + Cast.alice.author.sign(statement).bytes
    }

    private static func framed(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)] + bytes
    }
}

/// "Randomness" that is the same in every run, so that a handshake of the corpus stays valid.
private struct Constant: RandomNumberGenerator {
    var value: UInt64 = 55

    mutating func next() -> UInt64 { value }
}
