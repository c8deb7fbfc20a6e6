import Blobs
import Cryptography
import OperationLog

/// ``FileMessage/chunk(_:_:)`` as bytes.
enum ChunkMessage: MessageKind {
    static let kind: UInt8 = 26
    static let purpose = MessagePurpose.files
    static let circle = MessageCircle.acquaintances

    static func write(_ root: Digest, _ bytes: [UInt8], to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(digest: root)
        writer.write(raw: bytes)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        let root = try reader.digest()
        guard reader.remaining <= BlobChunk.maximumBytes else {
            throw .tooLong(field: "chunk", limit: BlobChunk.maximumBytes)
        }
        return .files(.chunk(root, try reader.raw(reader.remaining)))
    }
}
