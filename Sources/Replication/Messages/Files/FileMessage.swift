import Cryptography
import OperationLog

/// What is said of blobs, which are files and photos. Who asks for those that an operation names:
/// ``ConversationMessage/blobWanted(_:)``.
public enum FileMessage: Hashable, Sendable {
    /// Asks what the receiver has of the photo that a person's card names, and to be told when that is more.
    case photoWanted(UserID)
    /// What the sender has of the blob of a root: a bit for each chunk.
    case blobHeld(Digest, [UInt8])
    /// Asks for chunks of the blob of a root.
    case chunksWanted(Digest, [Int])
    /// A chunk of the blob of a root, with its proof.
    case chunk(Digest, [UInt8])

    static let kinds: [any MessageKind.Type] = [
        PhotoWantedMessage.self, BlobHeldMessage.self, ChunksWantedMessage.self, ChunkMessage.self,
    ]

    func write(to writer: inout CanonicalWriter) {
        switch self {
        case .photoWanted(let user): PhotoWantedMessage.write(user, to: &writer)
        case .blobHeld(let root, let bits): BlobHeldMessage.write(root, bits, to: &writer)
        case .chunksWanted(let root, let indices): ChunksWantedMessage.write(root, indices, to: &writer)
        case .chunk(let root, let bytes): ChunkMessage.write(root, bytes, to: &writer)
        }
    }
}
