import Blobs
import Cryptography
import OperationLog

extension PeerMessage {
    /// Chunks that may be asked for at once.
    public static let maximumChunksWanted = 64
}

/// ``FileMessage/chunksWanted(_:_:)`` as bytes.
enum ChunksWantedMessage: MessageKind {
    static let kind: UInt8 = 25
    static let purpose = MessagePurpose.files
    static let circle = MessageCircle.anybody

    static func write(_ root: Digest, _ indices: [Int], to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(digest: root)
        writer.write(count: indices.count)
        for index in indices { writer.write(count: index) }
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        let root = try reader.digest()
        var indices: [Int] = []
        let count = try reader.count(of: "chunks", limit: PeerMessage.maximumChunksWanted, each: 1)
        guard count > 0 else { throw .invalid(field: "chunks") }
        for _ in 0..<count {
            indices.append(try reader.count(of: "chunk", limit: BlobAddress.maximumChunks - 1))
        }
        return .files(.chunksWanted(root, indices))
    }
}
