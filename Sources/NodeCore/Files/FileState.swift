import Blobs
import Conversations
import Storage

/// How a file is doing at this node.
public struct FileState: Hashable, Sendable {
    /// Where it stands.
    public enum Phase: Hashable, Sendable {
        /// All of it is here.
        case here
        /// Chunks of it are on their way.
        case fetching
        /// Nobody who is connected has what is lacking.
        case waiting
        /// It is not fetched unless the user asks for it.
        case offered
        /// The user does not want it.
        case canceled
        /// It could not be written; it is tried again by itself.
        case failed(StoreError)
    }

    /// Where it stands.
    public let phase: Phase
    /// How many of its chunks are here.
    public let chunks: Int
    /// How many there are.
    public let of: Int
}
