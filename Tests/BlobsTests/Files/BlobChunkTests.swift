import Blobs
import Cryptography
import OperationLog
import OperationLogFixtures
import Testing

@Suite("Chunks of a blob")
struct BlobChunkTests {
    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 200_000, 327_681])
    func `are checked and opened one by one`(length: Int) throws {
        let blob = EncodedBlob(length: length, seed: UInt64(length))
        #expect(blob.chunks.count == blob.address.chunkCount)
        var file: [UInt8] = []
        for chunk in blob.chunks {
            let received = try BlobChunk(verifying: chunk.encoded, of: blob.address)
            #expect(received == chunk)
            let sealed = blob.address.length(ofChunk: chunk.index) + CounterNonceCipher.overhead
            #expect(chunk.encoded.count == BlobChunk.headCount(at: chunk.index, of: blob.address) + sealed)
            #expect(chunk.encoded.count <= BlobChunk.maximumBytes)
            file += try blob.key.open(received)
        }
        #expect(file == blob.plain)
    }

    @Test(arguments: 1...100 as ClosedRange<UInt64>)
    func `are refused with any bit changed`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let blob = EncodedBlob(length: Int.random(in: 0...400_000, using: &random), seed: seed)
        var bytes = blob.chunks.randomElement(using: &random)?.encoded ?? []
        bytes[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        #expect(throws: MalformedBytes.self) { try BlobChunk(verifying: bytes, of: blob.address) }
    }

    @Test func `are refused cut, with more behind, and in the place of another`() throws {
        let blob = EncodedBlob(length: 200_000, seed: 3)
        let bytes = blob.chunks[1].encoded
        for end in [0, 1, 32, 65, 100, bytes.count - 1] {
            #expect(throws: MalformedBytes.truncated) {
                try BlobChunk(verifying: Array(bytes[..<end]), of: blob.address)
            }
        }
        #expect(throws: MalformedBytes.trailing(count: 1)) {
            try BlobChunk(verifying: bytes + [0], of: blob.address)
        }
        #expect(throws: MalformedBytes.invalid(field: "chunk")) {
            try BlobChunk(verifying: [0] + bytes.dropFirst(), of: blob.address)
        }
        #expect(throws: MalformedBytes.tooLong(field: "chunk", limit: 3)) {
            try BlobChunk(verifying: [4] + bytes.dropFirst(), of: blob.address)
        }
    }

    @Test(arguments: [199_999, 200_001, 131_072, 262_145, 0])
    func `are of one length only: named with another, it is another blob that nobody can have`(length: Int) throws {
        let blob = EncodedBlob(length: 200_000, seed: 3)
        let other = try #require(BlobAddress(top: blob.address.top, length: length))
        #expect(other != blob.address && other.root != blob.address.root)
        #expect(throws: MalformedBytes.self) { try BlobChunk(verifying: blob.chunks[3].encoded, of: other) }
    }

    @Test func `open with their own key only`() throws {
        let blob = EncodedBlob(length: 10, seed: 1)
        let other = EncodedBlob(length: 10, seed: 2)
        #expect(throws: CryptographyError.authentication) { try other.key.open(blob.chunks[0]) }
    }

    @Test func `of the longest blob have proofs within their limit`() throws {
        let leaves = (0..<BlobAddress.maximumChunks).map { BlobTree.leaf([UInt8(truncatingIfNeeded: $0)]) }
        let tree = BlobTree(leaves: leaves)
        #expect(leaves.indices.map { tree.proof(of: $0).count }.max() == BlobTree.maximumProofLength)
    }
}

@Suite("Making a blob")
struct BlobEncoderTests {
    @Test func `ends where a file is too long`() {
        var encoder = BlobEncoder(key: BlobKey(bytes: .hash("key")))
        let piece = [UInt8](repeating: 7, count: BlobAddress.chunkByteCount)
        for _ in 0..<BlobAddress.maximumChunks { #expect(encoder.seal(piece) != nil) }
        #expect(encoder.seal([1]) == nil)
        #expect(encoder.finish().address.length == BlobAddress.maximumLength)
    }
}
