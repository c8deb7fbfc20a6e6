import Blobs
import Cryptography
import OperationLog

/// ``FileMessage/blobHeld(_:_:)`` as bytes.
enum BlobHeldMessage: MessageKind {
    static let kind: UInt8 = 24
    static let purpose = MessagePurpose.files
    static let circle = MessageCircle.acquaintances

    static func write(_ root: Digest, _ bits: [UInt8], to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(digest: root)
        writer.write(data: bits)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .files(.blobHeld(try reader.digest(), try reader.data(of: "chunks", limit: ChunkSet.maximumBytes)))
    }
}
