import Cryptography
import CryptographyFixtures
import Testing

@Suite("Signatures")
struct SignatureTests {
    @Test(arguments: try Vectors.load().ed25519.signatures)
    func `libsodium accepts exactly what the protocol accepts`(vector: Vectors.Ed25519.SignatureCase) throws {
        let key = try #require(VerifyingKey(bytes: vector.key.bytes))
        let signature = try #require(Signature(bytes: vector.signature.bytes))
        #expect(key.verifies(signature, of: vector.message.bytes) == vector.verifies)
    }

    @Test(arguments: try Vectors.load().ed25519.points)
    func `a key counts as a point only in the main subgroup`(vector: Vectors.Ed25519.PointCase) throws {
        let key = try #require(VerifyingKey(bytes: vector.key.bytes))
        #expect(key.isValidPoint == vector.valid)
    }

    @Test
    func `one changed bit anywhere makes a signature fail`() throws {
        var random = SplitMix64(seed: 1)
        let key = SigningKey.generate(using: &random)
        let message = random.bytes(40)
        let bytes = key.sign(message).bytes
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            let signature = try #require(Signature(bytes: changed))
            #expect(!key.verifyingKey.verifies(signature, of: message), "byte \(index)")
        }
        #expect(key.verifyingKey.verifies(key.sign(message), of: message))
    }

    @Test
    func `a seed always makes the same key and signature`() throws {
        var random = SplitMix64(seed: 2)
        let seed = random.bytes(SigningKey.seedByteCount)
        let one = try #require(SigningKey(seed: seed))
        let two = try #require(SigningKey(seed: seed))
        #expect(one.verifyingKey == two.verifyingKey)
        #expect(one.sign([1, 2, 3]) == two.sign([1, 2, 3]))
        #expect(one.verifyingKey.isValidPoint)
    }

    @Test
    func `a key drawn from a generator is that of the bytes drawn`() throws {
        var one = SplitMix64(seed: 3)
        var two = SplitMix64(seed: 3)
        let drawn = SigningKey.generate(using: &one)
        let made = try #require(SigningKey(seed: two.bytes(SigningKey.seedByteCount)))
        #expect(drawn.verifyingKey == made.verifyingKey)
        let agreement = AgreementKey.generate(using: &one)
        #expect(agreement.publicKey == AgreementKey(secret: two.bytes(AgreementKey.byteCount))?.publicKey)
    }

    @Test
    func `a signature, a key or a seed of another length is none`() {
        for count in [0, 31, 33, 63, 65] {
            let bytes = [UInt8](repeating: 1, count: count)
            #expect(Signature(bytes: bytes) == nil)
            #expect(VerifyingKey(bytes: bytes) == nil)
            #expect(SigningKey(seed: bytes) == nil)
            #expect(AgreementKey(secret: bytes) == nil)
        }
    }

    @Test
    func `a signature gives back its bytes`() throws {
        let bytes = (0..<64).map { UInt8($0) }
        #expect(try #require(Signature(bytes: bytes)).bytes == bytes)
    }
}
