import LocalAPIModel
import NIOCore
import Node
import Synchronization

/// Writes an event once for all who watch: they ask for the same one at about the same time.
final class SharedEventEncoder: Sendable {
    private let latest = Mutex<(id: UInt64, bytes: ByteBuffer)?>(nil)

    /// The event as a stream carries it.
    func encode(_ event: NodeEvent) throws(UnreadableJSON) -> ByteBuffer {
        // A resync has the id of the event before it, and is for one stream only.
        guard event.type != .resync else { return ByteBuffer(bytes: try EventStream.encode(event)) }
        if let known = latest.withLock({ $0?.id == event.id ? $0?.bytes : nil }) { return known }
        let bytes = ByteBuffer(bytes: try EventStream.encode(event))
        latest.withLock { $0 = (event.id, bytes) }
        return bytes
    }
}
