import CSodium
import Cryptography
import OperationLog
import OperationLogFixtures
import Replication
import Testing
import Time

/// Carol dials Bob and proves their device in ways they must not accept. Every one is authentic as far as Noise is
/// concerned.
@Suite("Proving a device")
struct DeviceProofTests {
    private var random = SplitMix64(seed: 1)
    private let bob: Member
    private let carol: Member
    private let dave: Member

    init() {
        bob = Member(using: &random)
        carol = Member(using: &random)
        dave = Member(using: &random)
    }

    /// What Bob says to a proof; nil if they accept it.
    private mutating func refusal(
        _ proof: (_ transcript: [UInt8], _ staticKey: [UInt8]) -> [UInt8]
    ) throws -> ChannelError? {
        var channel = bob.channel(.responder, using: &random)
        do {
            _ = try Stranger(dialing: &channel, as: carol, using: &random, proof: proof)
            return nil
        } catch let error as ChannelError {
            return error
        }
    }

    @Test
    mutating func `an honest proof is accepted, as written down in the protocol`() throws {
        let carol = carol
        #expect(try refusal { Proof(of: carol, role: 0, transcript: $0, staticKey: $1).encoded } == nil)
    }

    @Test
    mutating func `a signature for the other role is refused`() throws {
        let carol = carol
        #expect(try refusal { Proof(of: carol, role: 1, transcript: $0, staticKey: $1).encoded } == .badProof)
    }

    @Test
    mutating func `a signature of another handshake is refused`() throws {
        let carol = carol
        let proof = { (transcript: [UInt8], staticKey: [UInt8]) in
            Proof(of: carol, role: 0, transcript: transcript.reversed(), staticKey: staticKey).encoded
        }
        #expect(try refusal(proof) == .badProof)
    }

    @Test
    mutating func `a signature over another channel key is refused`() throws {
        let (carol, dave) = (carol, dave)
        let proof = { (transcript: [UInt8], _: [UInt8]) in
            Proof(of: carol, role: 0, transcript: transcript, staticKey: dave.channelKey.publicKey).encoded
        }
        #expect(try refusal(proof) == .badProof)
    }

    @Test
    mutating func `capabilities that were not signed are refused, unknown ones that were are not`() throws {
        let carol = carol
        for signed in [0, 5] as [UInt64] {
            let refusal = try refusal { transcript, staticKey in
                var proof = Proof(
                    of: carol, role: 0, transcript: transcript, staticKey: staticKey, signedCapabilities: signed)
                proof.capabilities = 5
                return proof.encoded
            }
            #expect(refusal == (signed == 5 ? nil : .badProof))
        }
    }

    @Test
    mutating func `a signature of another kind is refused`() throws {
        let carol = carol
        let proof = { (transcript: [UInt8], staticKey: [UInt8]) in
            Proof(of: carol, role: 0, transcript: transcript, staticKey: staticKey, label: "moot/1/sig").encoded
        }
        #expect(try refusal(proof) == .badProof)
    }

    @Test
    mutating func `somebody else's record does not make one their device`() throws {
        let (carol, dave) = (carol, dave)
        let refusal = try refusal { transcript, staticKey in
            var proof = Proof(of: carol, role: 0, transcript: transcript, staticKey: staticKey)
            proof.record = dave.record.encoded
            return proof.encoded
        }
        #expect(refusal == .uncertifiedDevice)
    }

    @Test
    mutating func `somebody else's device cannot be claimed`() throws {
        let (carol, dave) = (carol, dave)
        let refusal = try refusal { transcript, staticKey in
            var proof = Proof(of: carol, role: 0, transcript: transcript, staticKey: staticKey)
            proof.record = dave.record.encoded
            proof.deviceKey = dave.person.author.device.key.bytes
            return proof.encoded
        }
        #expect(refusal == .badProof)
    }

    @Test
    mutating func `a key of small order proves nothing`() throws {
        let carol = carol
        let refusal = try refusal { transcript, staticKey in
            var proof = Proof(of: carol, role: 0, transcript: transcript, staticKey: staticKey)
            proof.deviceKey = [1] + [UInt8](repeating: 0, count: 31)
            if let forged = Signature(bytes: proof.deviceKey + [UInt8](repeating: 0, count: 32)) {
                proof.signature = forged
            }
            return proof.encoded
        }
        #expect(refusal == .badProof)
    }

    /// Carol adds the point of order 2 to their device key. Where the challenge is even it vanishes from the equation,
    /// and the signature holds; a holder of such a key could sign so that some verifiers accept and others do not.
    @Test
    mutating func `a key of mixed order proves nothing, even with a signature that holds`() throws {
        let seed = random.bytes(SigningKey.seedByteCount)
        let honest = try #require(SigningKey(seed: seed)).verifyingKey
        let mixed = try #require(VerifyingKey(bytes: Self.addingOrderTwo(to: honest.bytes)))
        let root = SigningKey.generate(using: &random)
        let device = Device(user: UserID(root.verifyingKey), key: mixed)
        let record = IdentityRecord(root: root, serial: 1, devices: [.init(device: device, name: "mixed")])
        let carol = carol
        var signaturesThatHold = 0
        for _ in 0..<32 {
            let refusal = try refusal { transcript, staticKey in
                var proof = Proof(of: carol, role: 0, transcript: transcript, staticKey: staticKey)
                let statement = Proof.statement(role: 0, transcript: transcript, staticKey: staticKey)
                var bytes = [UInt8](repeating: 0, count: Signature.byteCount)
                // libsodium takes the public key for the challenge from the second half of the secret one.
                crypto_sign_detached(&bytes, nil, statement.bytes, UInt64(statement.bytes.count), seed + mixed.bytes)
                if let signature = Signature(bytes: bytes) { proof.signature = signature }
                proof.record = record.encoded
                proof.deviceKey = mixed.bytes
                if mixed.verifies(proof.signature, of: statement.bytes) { signaturesThatHold += 1 }
                return proof.encoded
            }
            #expect(refusal == .badProof)
        }
        #expect(signaturesThatHold > 0)
    }

    /// (x, y) + (0, −1) = (−x, −y), in the encoding of RFC 8032: p − y, and the other sign of x.
    private static func addingOrderTwo(to point: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var borrow = 0
        for (index, byte) in point.enumerated() {
            let prime = index == 0 ? 0xED : index == 31 ? 0x7F : 0xFF
            let difference = prime - Int(index == 31 ? byte & 0x7F : byte) - borrow
            borrow = difference < 0 ? 1 : 0
            result.append(UInt8(difference & 0xFF))
        }
        result[31] |= ~point[31] & 0x80
        return result
    }

    @Test
    mutating func `bytes that are no proof are refused with what is wrong with them`() throws {
        let carol = carol
        let honest = { (transcript: [UInt8], staticKey: [UInt8]) in
            Proof(of: carol, role: 0, transcript: transcript, staticKey: staticKey).encoded
        }
        #expect(try refusal { _, _ in [] } == .malformedProof(.truncated))
        #expect(try refusal { honest($0, $1) + [0] } == .malformedProof(.trailing(count: 1)))
        #expect(try refusal { honest($0, $1).dropLast() } == .malformedProof(.truncated))
        let forgedRecord = try refusal { transcript, staticKey in
            var proof = Proof(of: carol, role: 0, transcript: transcript, staticKey: staticKey)
            proof.record[proof.record.count - 70] ^= 1
            return proof.encoded
        }
        #expect(forgedRecord == .malformedProof(.signature(field: "identity record")))
        let longRecord = try refusal { _, _ in
            var writer = CanonicalWriter()
            writer.write(data: [UInt8](repeating: 0, count: IdentityRecord.maximumBytes + 1))
            return writer.bytes
        }
        #expect(
            longRecord == .malformedProof(.tooLong(field: "identity record", limit: IdentityRecord.maximumBytes)))
    }

    @Test
    mutating func `the longest record fits into a handshake`() throws {
        let root = SigningKey.generate(using: &random)
        let user = UserID(root.verifyingKey)
        let authors = (0..<IdentityRecord.maximumDevices).map { _ in Author(user: user, key: .generate(using: &random))
        }
        let name = String(repeating: "n", count: IdentityRecord.maximumDeviceNameBytes)
        let record = IdentityRecord(
            root: root, serial: IdentityRecord.maximumSerial,
            devices: authors.map { .init(device: $0.device, name: name) })
        // A serial of the year 2100 has six digits, and the limit has room for the ten of any number.
        #expect(record.encoded.count == IdentityRecord.maximumBytes - 4)
        for role in [HandshakeState.Role.initiator, .responder] {
            var long = SecureChannel(
                role: role, author: authors[3], record: record, channelKey: .generate(using: &random), expecting: nil,
                using: &random)
            var short = carol.channel(role == .initiator ? .responder : .initiator, using: &random)
            let start = Instant(sinceStart: .zero)
            var bytes = try long.start() + short.start()
            var turn = role == .responder
            while !bytes.isEmpty {
                bytes = turn ? try long.receive(bytes, at: start).reply : try short.receive(bytes, at: start).reply
                turn.toggle()
            }
            #expect(long.isOpen && short.isOpen)
        }
    }
}
