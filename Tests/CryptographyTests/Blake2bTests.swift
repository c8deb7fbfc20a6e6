import Cryptography
import CryptographyFixtures
import Testing

@Suite("BLAKE2b")
struct Blake2bTests {
    private static func text(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 % 251) } }

    @Test
    func `agrees with an independent implementation for every length, key and size tried`() throws {
        for vector in try Vectors.load().digests.cases {
            var hash = Blake2b(byteCount: vector.digest.bytes.count, key: vector.key.bytes)
            hash.update(Self.text(vector.count))
            #expect(hash.finalize() == vector.digest.bytes, "\(vector.count) bytes")
        }
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func `does not depend on how the bytes are cut`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let text = Self.text(1_000)
        var whole = Blake2b()
        whole.update(text)
        let expected = whole.finalizeDigest()
        var pieces = Blake2b()
        var rest = text[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 0...300, using: &random))
            rest = rest.dropFirst(piece.count)
            if Bool.random(using: &random) {
                pieces.update(Array(piece))
            } else {
                piece.withUnsafeBytes { pieces.update(raw: $0) }
            }
        }
        let actual = pieces.finalizeDigest()
        #expect(actual == expected)
    }

    @Test
    func `a digest is taken in as its bytes`() {
        let digest = Digest.hash("moot/1/test", [1])
        var one = Blake2b()
        one.update(digest)
        var two = Blake2b()
        two.update(digest.bytes)
        let (first, second) = (one.finalize(), two.finalizeDigest())
        #expect(first == second.bytes)
    }
}
