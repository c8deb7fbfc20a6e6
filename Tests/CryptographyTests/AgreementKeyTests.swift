import Cryptography
import Testing

@Suite("Agreeing on a secret")
struct AgreementKeyTests {
    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `both sides reach the same secret`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let alice = AgreementKey.generate(using: &random)
        let bob = AgreementKey.generate(using: &random)
        let ours = try alice.withSharedSecret(with: bob.publicKey) { Array($0) }
        let theirs = try bob.withSharedSecret(with: alice.publicKey) { Array($0) }
        #expect(ours == theirs)
        #expect(ours.contains { $0 != 0 })
    }

    /// Public keys of small order: whatever our secret is, the shared secret would be zero.
    static let weakKeys: [[UInt8]] = [
        [UInt8](repeating: 0, count: 32),
        [1] + [UInt8](repeating: 0, count: 31),
        // p - 1
        [0xEC] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
        // p, which is zero written another way
        [0xED] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
        // A point of order 8
        [
            0xE0, 0xEB, 0x7A, 0x7C, 0x3B, 0x41, 0xB8, 0xAE, 0x16, 0x56, 0xE3, 0xFA, 0xF1, 0x9F, 0xC4, 0x6A, 0xDA, 0x09,
            0x8D,
            0xEB, 0x9C, 0x32, 0xB1, 0xFD, 0x86, 0x62, 0x05, 0x16, 0x5F, 0x49, 0xB8, 0x00,
        ],
    ]

    @Test(arguments: weakKeys)
    func `a key that would make the secret zero is refused`(key: [UInt8]) {
        var random = SplitMix64(seed: 1)
        let ours = AgreementKey.generate(using: &random)
        #expect(throws: CryptographyError.weakKey) { try ours.withSharedSecret(with: key) { _ in } }
    }
}
