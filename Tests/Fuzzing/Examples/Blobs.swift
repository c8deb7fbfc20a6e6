import Blobs
import Cryptography
import OperationLog
import OperationLogFixtures

extension Example {
    /// A blob of three chunks, the last of five bytes.
    static let blob: (address: BlobAddress, chunks: [BlobChunk]) = {
        var encoder = BlobEncoder(key: BlobKey(bytes: .hash("example")))
        let pieces = [BlobAddress.chunkByteCount, BlobAddress.chunkByteCount, 5].map {
            [UInt8](repeating: 7, count: $0)
        }
        let sealed = pieces.map { encoder.seal($0) ?? [] }
        let (address, tree) = encoder.finish()
        return (address, sealed.enumerated().map { BlobChunk($0.element, at: $0.offset, of: address, in: tree) })
    }()

    static var blobChunks: [Example] {
        let last = blob.chunks[2].encoded
        return [
            // The whole ones would be the most of the corpus.
            accepted(.blobChunk, "last", last),
            refused(.blobChunk, "truncated", "nothing", []),
            refused(.blobChunk, "truncated", "without-its-last-byte", last.dropLast()),
            refused(.blobChunk, "truncated", "without-a-neighbor", Array(last.prefix(20))),
            refused(.blobChunk, "trailing_bytes", "and-a-zero", last + [0]),
            refused(.blobChunk, "invalid_value", "one-bit-changed", last.withLastBitChanged),
            refused(.blobChunk, "invalid_value", "with-another-neighbor", last.replacing(1..<2, with: [last[1] ^ 1])),
            refused(.blobChunk, "too_long", "beyond-the-last", [3] + last.dropFirst()),
            refused(.blobChunk, "truncated", "in-the-place-of-another", [1] + last.dropFirst()),
        ]
    }

    static var blobReferences: [Example] {
        let address = blob.address
        let key = BlobKey(bytes: .hash("example"))
        let plain = BlobReference(address: address, key: key, mediaType: .unknown).encoded
        func reference(length: Int, type: String) -> [UInt8] {
            wire {
                $0.write(digest: address.root)
                $0.write(count: length)
                $0.write(digest: key.bytes)
                $0.write(text: type)
            }
        }
        return [
            accepted(.blobReference, "plain", plain),
            accepted(.blobReference, "photo", reference(length: 0, type: "image/svg+xml")),
            accepted(.blobReference, "of-the-longest", reference(length: BlobAddress.maximumLength, type: "a/b")),
            refused(.blobReference, "truncated", "nothing", []),
            refused(.blobReference, "truncated", "without-its-last-byte", plain.dropLast()),
            refused(.blobReference, "trailing_bytes", "and-a-zero", plain + [0]),
            refused(
                .blobReference, "too_long", "of-a-longer-one",
                reference(length: BlobAddress.maximumLength + 1, type: "a/b")),
            refused(.blobReference, "invalid_value", "type-in-capitals", reference(length: 1, type: "Image/png")),
            refused(.blobReference, "invalid_value", "type-without-a-slash", reference(length: 1, type: "image")),
            refused(
                .blobReference, "too_long", "type-too-long",
                reference(length: 1, type: "a/" + String(repeating: "b", count: 126))),
        ]
    }
}
