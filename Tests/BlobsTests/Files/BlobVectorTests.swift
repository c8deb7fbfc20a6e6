import Blobs
import Cryptography
import CryptographyFixtures
import Testing

@Suite("Blobs of another implementation")
struct BlobVectorTests {
    private struct Vectors: Decodable {
        let key: String
        let blobs: [Blob]
    }

    private struct Blob: Decodable {
        /// The file: whole where it is short, else its ends and its digest.
        struct Content: Decodable {
            let bytes: Hexadecimal?
            let first: Hexadecimal?
            let last: Hexadecimal?
            let digest: Hexadecimal?
        }

        let length: Int
        let content: Content
        let root: String
        let reference: Hexadecimal
        let proofs: [String]
        let tags: [Hexadecimal]
    }

    /// The digests of the numbers from 0 on, as the script next to the vectors makes them.
    private func file(_ length: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for number in 0...length / 64 {
            var hash = Blake2b(byteCount: 64)
            hash.update(withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) })
            bytes += hash.finalize()
        }
        return Array(bytes.prefix(length))
    }

    @Test func `have the same roots, proofs and tags`() throws {
        let vectors = try Fixture.load("blob-vectors.json", as: Vectors.self)
        let key = BlobKey(bytes: try #require(Digest(hexadecimal: vectors.key)))
        for expected in vectors.blobs {
            let content = file(expected.length)
            if let bytes = expected.content.bytes {
                #expect(bytes.bytes == content)
            } else {
                #expect(expected.content.first?.bytes == Array(content.prefix(64)))
                #expect(expected.content.last?.bytes == Array(content.suffix(64)))
                #expect(expected.content.digest?.bytes == Digest.hash("", content).bytes)
            }
            let blob = EncodedBlob(content, key: key)
            #expect(blob.address.root.hexadecimal == expected.root, "\(expected.length) bytes")
            #expect(blob.address.length == expected.length)
            let reference = BlobReference(address: blob.address, key: key, mediaType: .photo)
            #expect(reference.encoded == expected.reference.bytes)
            #expect(
                blob.chunks.map { blob.tree.proof(of: $0.index).map(\.hexadecimal).joined() } == expected.proofs)
            #expect(blob.chunks.map { Array($0.sealed.suffix(16)) } == expected.tags.map(\.bytes))
        }
    }
}
