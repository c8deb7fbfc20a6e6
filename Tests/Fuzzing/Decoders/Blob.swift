import Blobs
import OperationLog

extension Decoder {
    /// What names a blob and opens it.
    static let blobReference = Decoder("blob-reference") { bytes in
        try Outcome.of { () throws(MalformedBytes) in
            try BlobReference(decoding: bytes)
        } then: { reference in
            try promise("a reference has one encoding", reference.encoded == bytes)
            try promise("a reference keeps its limit", bytes.count <= BlobReference.maximumBytes)
            try promise("a type that was read can be written", MediaType(reference.mediaType.description) != nil)
        }
    }

    /// A chunk of the blob of the examples.
    static let blobChunk = Decoder("blob-chunk") { bytes in
        let blob = Example.blob
        return try Outcome.of { () throws(MalformedBytes) in
            try BlobChunk(verifying: bytes, of: blob.address)
        } then: { chunk in
            try promise("only the blob's own chunks pass", blob.chunks.contains(chunk))
            try promise("a chunk keeps its limit", bytes.count <= BlobChunk.maximumBytes)
        }
    }
}
