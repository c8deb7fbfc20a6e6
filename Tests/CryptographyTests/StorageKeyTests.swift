import Cryptography
import Testing

@Suite("Sealing secrets for their place on disk")
struct StorageKeyTests {
    static let cell = StorageLocation(table: "epochs", row: [1, 2, 3], kind: "key")

    /// Places that differ from ``cell`` in one respect, or whose fields are the same bytes one after the other.
    static let otherCells = [
        StorageLocation(table: "wraps", row: [1, 2, 3], kind: "key"),
        StorageLocation(table: "epochs", row: [1, 2, 4], kind: "key"),
        StorageLocation(table: "epochs", row: [1, 2, 3], kind: "commit"), StorageLocation(table: "epochs", kind: "key"),
        StorageLocation(table: "epoch", row: [UInt8(ascii: "s"), 1, 2, 3], kind: "key"),
        StorageLocation(table: "epochs", row: [1, 2, 3, UInt8(ascii: "k")], kind: "ey"),
    ]

    private func bytes(_ secret: SecretBytes) -> [UInt8] { secret.withUnsafeBytes { Array($0) } }

    @Test(arguments: 0...SecretBytes.maximumBytes)
    func `what is sealed can be opened at its place`(count: Int) throws {
        var random = SplitMix64(seed: UInt64(count))
        let key = StorageKey.generate(using: &random)
        let secret = SecretBytes(count: count, using: &random)
        let sealed = key.seal(secret, in: Self.cell, using: &random)
        #expect(sealed.count == count + StorageKey.overhead)
        #expect(bytes(try key.open(sealed, in: Self.cell)) == bytes(secret))
    }

    @Test(arguments: otherCells)
    func `a sealed secret opens nowhere else`(other: StorageLocation) {
        var random = SplitMix64(seed: 1)
        let key = StorageKey.generate(using: &random)
        let sealed = key.seal(SecretBytes(count: 32, using: &random), in: Self.cell, using: &random)
        #expect(throws: CryptographyError.authentication) { try key.open(sealed, in: other) }
    }

    @Test func `no flipped bit goes unnoticed`() {
        var random = SplitMix64(seed: 2)
        let key = StorageKey.generate(using: &random)
        let sealed = key.seal(SecretBytes(count: 32, using: &random), in: Self.cell, using: &random)
        for bit in 0..<sealed.count * 8 {
            var changed = sealed
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: CryptographyError.authentication, "bit \(bit)") { try key.open(changed, in: Self.cell) }
        }
    }

    @Test func `nothing shorter or longer opens`() {
        var random = SplitMix64(seed: 3)
        let key = StorageKey.generate(using: &random)
        let sealed = key.seal(SecretBytes(count: 32, using: &random), in: Self.cell, using: &random)
        for count in 0..<sealed.count {
            #expect(throws: CryptographyError.authentication) {
                try key.open(Array(sealed.prefix(count)), in: Self.cell)
            }
        }
        #expect(throws: CryptographyError.authentication) { try key.open(sealed + [0], in: Self.cell) }
        #expect(throws: CryptographyError.authentication) {
            try key.open(sealed + [UInt8](repeating: 0, count: 1_000), in: Self.cell)
        }
    }

    @Test func `another key opens nothing`() {
        var random = SplitMix64(seed: 4)
        let sealed = StorageKey.generate(using: &random)
            .seal(SecretBytes(count: 32, using: &random), in: Self.cell, using: &random)
        let other = StorageKey.generate(using: &random)
        #expect(throws: CryptographyError.authentication) { try other.open(sealed, in: Self.cell) }
    }

    @Test func `the same secret is never the same bytes twice`() {
        var random = SplitMix64(seed: 5)
        let key = StorageKey.generate(using: &random)
        let secret = SecretBytes(count: 32, using: &random)
        #expect(
            key.seal(secret, in: Self.cell, using: &random) != key.seal(secret, in: Self.cell, using: &random))
    }

    @Test func `a key is sealed under another, and only a key comes back as one`() throws {
        var random = SplitMix64(seed: 6)
        let outer = StorageKey.generate(using: &random)
        let inner = StorageKey.generate(using: &random)
        let sealed = outer.seal(inner, in: Self.cell, using: &random)
        #expect(try outer.openKey(sealed, in: Self.cell).isSame(as: inner))
        #expect(!outer.isSame(as: inner))
        let short = outer.seal(SecretBytes([1, 2, 3]), in: Self.cell, using: &random)
        #expect(throws: CryptographyError.authentication) { try outer.openKey(short, in: Self.cell) }
    }

    @Test func `the bytes are those of XChaCha20-Poly1305 with framed associated data`() throws {
        var random = Sevens()
        let key = StorageKey(SecretBytes(Array(0..<32)))
        let sealed = key.seal(SecretBytes(Array(100..<132)), in: Self.cell, using: &random)
        // From HChaCha20 and ChaCha20-Poly1305 (draft-irtf-cfrg-xchacha) of another library.
        #expect(sealed.prefix(24) == [UInt8](repeating: 7, count: 24)[...])
        #expect(sealed.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() == Self.vector)
    }

    @Test func `a name is BLAKE2b-256 of its statement under the key, and another one under another`() {
        var random = SplitMix64(seed: 7)
        var statement = Statement("moot/1/person-mark")
        statement.append([1])
        statement.append(Array(100..<132))
        let key = StorageKey(SecretBytes(Array(0..<32)))
        // From the hashlib of Python.
        #expect(
            key.name(for: statement).hexadecimal == "a108c187998b228669bf589506fd24e12b81d42bcecd721b2c7452842379296b")
        #expect(StorageKey.generate(using: &random).name(for: statement) != key.name(for: statement))
    }

    /// Always the byte 7.
    private struct Sevens: RandomNumberGenerator {
        mutating func next() -> UInt64 { 0x0707_0707_0707_0707 }
    }

    static let vector =
        "07070707070707070707070707070707070707070707070782da3dbf3600aeff10f71b4830560b53ecb6b0461298b94447401b68aaa90ac91a0d7e633073b218f686f53ed13991b6"
}
