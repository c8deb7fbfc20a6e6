import Cryptography
import CryptographyFixtures
import Testing

@Suite("Digests")
struct DigestTests {
    @Test
    func `a label and its parts are hashed one directly after the other`() throws {
        let vector = try Vectors.load().digests.labeled
        let digest = Digest.hash("moot/1/test", vector.parts[0].bytes, vector.parts[1].bytes)
        #expect(digest.bytes == vector.digest.bytes)
        #expect(Digest.hash("moot/1/test", vector.parts[0].bytes + vector.parts[1].bytes) == digest)
    }

    @Test(arguments: 1...100 as ClosedRange<UInt64>)
    func `order and equality are those of the bytes`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let one = random.bytes(Digest.byteCount)
        var two = one
        two[Int.random(in: 0..<Digest.byteCount, using: &random)] = UInt8.random(in: 0...255, using: &random)
        let first = try #require(Digest(bytes: one))
        let second = try #require(Digest(bytes: two))
        #expect((first < second) == one.lexicographicallyPrecedes(two))
        #expect((second < first) == two.lexicographicallyPrecedes(one))
        #expect((first == second) == (one == two))
        #expect(first.bytes == one)
    }

    @Test(arguments: 0..<4)
    func `digests that differ in one word only are spread over a table`(word: Int) throws {
        let hashes = try (0..<256).map { value in
            var bytes = [UInt8](repeating: 7, count: Digest.byteCount)
            bytes[8 * word] = UInt8(value)
            return try #require(Digest(bytes: bytes)).hashValue
        }
        #expect(Set(hashes).count == 256)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `hexadecimal digits lead back to the digest`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let digest = try #require(Digest(bytes: random.bytes(Digest.byteCount)))
        #expect(Digest(hexadecimal: digest.hexadecimal) == digest)
        #expect(digest.hexadecimal.count == 64)
        #expect(digest.description == digest.hexadecimal)
    }

    @Test
    func `only 64 lowercase digits are read`() {
        let digits = String(repeating: "0a", count: 32)
        #expect(Digest(hexadecimal: digits) != nil)
        #expect(Digest(hexadecimal: digits.uppercased()) == nil)
        #expect(Digest(hexadecimal: digits.dropLast()) == nil)
        #expect(Digest(hexadecimal: digits + "0") == nil)
        #expect(Digest(hexadecimal: "g" + digits.dropFirst()) == nil)
        #expect(Digest(hexadecimal: String(repeating: "é", count: 32)) == nil)
        #expect(Digest(hexadecimal: "") == nil)
    }

    @Test(arguments: [0, 1, 31, 33, 64])
    func `any other number of bytes is no digest`(count: Int) {
        #expect(Digest(bytes: [UInt8](repeating: 1, count: count)) == nil)
        #expect(Digest(bytes: repeatElement(1 as UInt8, count: count)) == nil)
    }

    @Test
    func `a slice and a lazy collection of 32 bytes are as good as an array`() throws {
        let bytes = Array(0..<34 as Range<UInt8>)
        let digest = try #require(Digest(bytes: bytes[1..<33]))
        #expect(digest.bytes == Array(bytes[1..<33]))
        #expect(Digest(bytes: (1..<33 as Range<UInt8>).lazy.map { $0 }) == digest)
    }
}
