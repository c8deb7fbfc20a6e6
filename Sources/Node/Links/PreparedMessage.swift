import Blobs
import OperationLog

/// A message of a peer, and what was verified of it beside the node.
struct PreparedMessage: Sendable {
    /// The message as it arrived.
    let bytes: [UInt8]
    /// Whether it is a batch that nobody asked for.
    var isPush = false
    /// Its batch if it carries one of a recognised conversation.
    var batch: Result<Batch, MalformedBytes>?
    /// Its chunk if it carries one of an expected blob.
    var chunk: Result<BlobChunk, MalformedBytes>?
}
