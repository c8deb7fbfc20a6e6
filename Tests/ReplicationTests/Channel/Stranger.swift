import Cryptography
import OperationLog
import Replication
import Time

/// Someone who can speak Noise and frame bytes, and says whatever a test wants.
struct Stranger: ~Copyable {
    /// Both directions once the handshake is over.
    private(set) var sending: CipherState
    private(set) var receiving: CipherState

    /// Dials with a proof of the test's making; gives up with what the channel throws.
    init(
        dialing channel: inout SecureChannel, as member: Member, prologue: [UInt8] = SecureChannel.prologue,
        first: [UInt8] = [], using random: inout some RandomNumberGenerator,
        proof: (_ transcript: [UInt8], _ staticKey: [UInt8]) -> [UInt8]
    ) throws {
        let now = Instant(sinceStart: .zero)
        var handshake = HandshakeState(
            role: .initiator, staticKey: member.channelKey, ephemeralKey: .generate(using: &random), prologue: prologue)
        let second = try channel.receive(Self.framed(handshake.write { _ in first }), at: now).reply
        _ = try handshake.read(Array(second.dropFirst(2)))
        let staticKey = handshake.localStatic
        _ = try channel.receive(Self.framed(handshake.write { proof($0, staticKey) }), at: now)
        let ciphers = handshake.split()
        sending = ciphers.sending
        receiving = ciphers.receiving
    }

    /// Dials with an honest proof.
    init(
        dialing channel: inout SecureChannel, as member: Member, using random: inout some RandomNumberGenerator
    ) throws {
        try self.init(dialing: &channel, as: member, using: &random) { transcript, staticKey in
            Proof(of: member, role: 0, transcript: transcript, staticKey: staticKey).encoded
        }
    }

    /// The next frame with any kind byte.
    mutating func frame(kind: UInt8, _ chunk: [UInt8] = []) throws -> [UInt8] {
        var bytes = [kind] + chunk
        try sending.seal(&bytes, from: 0)
        return Self.framed(bytes)
    }

    /// The plaintexts of whole frames, kind byte first.
    mutating func opened(_ frames: [UInt8]) throws -> [[UInt8]] {
        var rest = frames
        var plaintexts: [[UInt8]] = []
        while !rest.isEmpty {
            let end = 2 + Int(rest[0]) << 8 + Int(rest[1])
            plaintexts.append(Array(rest[try receiving.open(&rest, in: 2..<end)]))
            rest.removeFirst(end)
        }
        return plaintexts
    }

    /// Opens frames without keeping anything of them.
    mutating func skip(_ frames: [UInt8], count: Int) throws {
        var bytes = frames
        var offset = 0
        for _ in 0..<count {
            let end = offset + 2 + Int(bytes[offset]) << 8 + Int(bytes[offset + 1])
            _ = try receiving.open(&bytes, in: offset + 2..<end)
            offset = end
        }
    }

    /// Goes on with the next key of what is received.
    mutating func rekeyReceiving() { receiving.rekey() }

    /// Goes on with the next key of what is sent.
    mutating func rekeySending() { sending.rekey() }

    /// Bytes after their length.
    static func framed(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
    }
}
