import LocalAPIModel
import Node
import Synchronization

/// Writes lists of conversations as JSON, and remembers what it wrote: of 1,000 conversations few change between two
/// lists, and writing one takes 30 times as long as seeing that it is the same.
public final class ConversationListWriter: Sendable {
    private struct Written: Sendable {
        let conversation: ConversationDescription
        let bytes: [UInt8]
    }

    /// How many conversations are remembered, some 2 KB each; with more, all are forgotten.
    private static let memory = 4_096

    private let written = Mutex<[String: Written]>([:])

    /// Has written nothing.
    public init() {}

    /// Writes a list, as ``WireFormat/encode(_:)`` does.
    public func encode(_ conversations: [ConversationDescription]) throws(UnreadableJSON) -> [UInt8] {
        var known = written.withLock { $0 }
        if known.count > Self.memory { known = [:] }
        var bytes: [UInt8] = [UInt8(ascii: "[")]
        for conversation in conversations {
            if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
            if let earlier = known[conversation.id], earlier.conversation == conversation {
                bytes += earlier.bytes
            } else {
                let fresh = Written(conversation: conversation, bytes: try WireFormat.encode(conversation))
                known[conversation.id] = fresh
                bytes += fresh.bytes
            }
        }
        bytes.append(UInt8(ascii: "]"))
        written.withLock { $0 = known }
        return bytes
    }
}
