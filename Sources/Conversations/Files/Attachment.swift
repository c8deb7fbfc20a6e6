import Blobs
import OperationLog

/// A file that a message carries.
public struct Attachment: Hashable, Sendable {
    /// The operation that attached it.
    public let operation: OperationID
    /// What its sender calls it.
    public let name: String
    /// What it is, and what opens it.
    public let reference: BlobReference
    /// A photo once more, very small; nil for other files.
    public let thumbnail: BlobReference?

    /// Describes a file of a message.
    public init(operation: OperationID, name: String, reference: BlobReference, thumbnail: BlobReference? = nil) {
        self.operation = operation
        self.name = name
        self.reference = reference
        self.thumbnail = thumbnail
    }
}
