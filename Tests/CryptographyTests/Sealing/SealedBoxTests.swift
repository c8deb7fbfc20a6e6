import Cryptography
import CryptographyFixtures
import Testing

@Suite("Sealing a secret to a key")
struct SealedBoxTests {
    private let alice: AgreementKey
    private let bob: AgreementKey
    private let secret: [UInt8]
    private let sealed: [UInt8]

    init() throws {
        var random = SplitMix64(seed: 1)
        alice = AgreementKey.generate(using: &random)
        bob = AgreementKey.generate(using: &random)
        secret = random.bytes(32)
        sealed = try SealedBox.seal(SecretBytes(secret), to: bob.publicKey, using: &random)
    }

    @Test
    func `makes and opens what an independent implementation makes`() throws {
        let peerQueues = try SealingVectors.load().sealedBoxes
        #expect(peerQueues.count == 5)
        for box in peerQueues {
            let key = try #require(AgreementKey(secret: box.secretKey.bytes))
            #expect(key.publicKey == box.publicKey.bytes)
            #expect(try key.open(box.sealed.bytes).withUnsafeBytes { Array($0) } == box.plaintext.bytes)
            var random = ScriptedRandom(box.ephemeral.bytes)
            let ours = try SealedBox.seal(SecretBytes(box.plaintext.bytes), to: key.publicKey, using: &random)
            #expect(ours == box.sealed.bytes)
        }
    }

    @Test
    func `adds as many bytes as it says, and opens for the receiver`() throws {
        #expect(sealed.count == secret.count + SealedBox.overhead)
        #expect(try bob.open(sealed).withUnsafeBytes { Array($0) } == secret)
    }

    @Test
    func `does not open with another key, the sender's own among them`() {
        #expect(throws: CryptographyError.authentication) { try alice.open(sealed) }
    }

    @Test
    func `has another ephemeral key each time`() throws {
        var random = SplitMix64(seed: 2)
        let again = try SealedBox.seal(SecretBytes(secret), to: bob.publicKey, using: &random)
        #expect(again.prefix(32) != sealed.prefix(32))
        #expect(again.suffix(48) != sealed.suffix(48))
    }

    @Test
    func `does not open with a bit changed anywhere`() {
        for bit in 0..<sealed.count * 8 {
            #expect(throws: CryptographyError.authentication, "bit \(bit)") { try bob.open(sealed.flipping(bit: bit)) }
        }
    }

    @Test
    func `does not open cut, stretched or empty`() {
        for count in 0..<sealed.count {
            #expect(throws: CryptographyError.authentication, "\(count) bytes") {
                try bob.open(Array(sealed.prefix(count)))
            }
        }
        #expect(throws: CryptographyError.authentication) { try bob.open(sealed + [0]) }
        #expect(throws: CryptographyError.authentication) { try bob.open(Array(sealed.dropFirst())) }
        let huge = [UInt8](repeating: 0, count: SecretBytes.maximumBytes + SealedBox.overhead + 1)
        #expect(throws: CryptographyError.authentication) { try bob.open(huge) }
    }

    @Test(arguments: AgreementKeyTests.weakKeys)
    func `is refused to a key with which everybody could open it`(key: [UInt8]) {
        var random = SplitMix64(seed: 3)
        #expect(!AgreementKey.isUsable(key))
        #expect(throws: CryptographyError.weakKey) {
            try SealedBox.seal(SecretBytes(secret), to: key, using: &random)
        }
    }

    @Test(arguments: AgreementKeyTests.weakKeys)
    func `does not open with a ephemeral key that anybody could have known`(key: [UInt8]) {
        #expect(throws: CryptographyError.authentication) { try bob.open(key + sealed.dropFirst(32)) }
    }

    @Test
    func `can be done to every honest key, and to nothing of another length`() {
        #expect(AgreementKey.isUsable(bob.publicKey))
        #expect(!AgreementKey.isUsable([]))
        #expect(!AgreementKey.isUsable(Array(bob.publicKey.dropLast())))
        #expect(!AgreementKey.isUsable(bob.publicKey + [0]))
    }
}
