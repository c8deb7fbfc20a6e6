import Blobs
import OperationLog
import Replication

/// A message of a peer, and what was verified of it off the node's queue.
struct PreparedMessage: Sendable {
    /// The message as it arrived.
    let bytes: [UInt8]
    /// Which lane its batch is of, if it carries one.
    var lane: PeerMessage.LaneSlot?
    /// Whether its sender says that its batch was asked for.
    var isAnswer = false
    /// Its batch if it carries one of a recognized conversation.
    var batch: Result<Batch, MalformedBytes>?
    /// Its chunk if it carries one of an expected blob.
    var chunk: Result<BlobChunk, MalformedBytes>?
}
