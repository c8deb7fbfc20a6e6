import Blobs
import Conversations
import OperationLog

/// A file as something names it, with what belongs to it.
public struct NamedFile: Hashable, Sendable {
    /// Where it is named; nil if a person's card names it.
    public let conversation: ConversationID?
    /// The operation that names it; nil if a person's card does.
    public let operation: OperationID?
    /// The message that carries it; nil if something else names it.
    public let message: OperationID?
    /// What it is called.
    public let name: String
    /// The file.
    public let reference: BlobReference
    /// A photo once more, very small; nil for other files.
    public let thumbnail: BlobReference?
}
