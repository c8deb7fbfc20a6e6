import Replication
import Synchronization

/// Messages on their way from any thread to the queue of a peer connection, and the count of all that wait.
final class MessageQueue: Sendable {
    /// A message and how it shares the connection with others.
    struct Entry: Sendable {
        let message: [UInt8]
        let urgency: SecureChannel.Urgency
    }

    private struct State {
        var entries: [Entry] = []
        /// Bytes in the entries, with what each takes besides, and in the channel once they moved there.
        var byteCount = 0
        var isAccepting = true
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// How many bytes wait, here and in the channel.
    var count: Int { state.withLock { $0.byteCount } }

    /// Takes a message.
    ///
    /// - Returns: Whether it is the first since the queue was last emptied, so that somebody must come for it.
    func append(_ message: [UInt8], urgency: SecureChannel.Urgency) throws(TransportError) -> Bool {
        try state.withLock { state throws(TransportError) in
            guard state.isAccepting else { throw .closed }
            let weight = message.count + SecureChannel.messageOverhead
            guard weight <= limit - state.byteCount else { throw .overflow(limit: limit) }
            state.byteCount += weight
            state.entries.append(Entry(message: message, urgency: urgency))
            return state.entries.count == 1
        }
    }

    /// Gives the messages to the channel; they still count.
    func takeAll() -> [Entry] {
        state.withLock { state in
            defer { state.entries = [] }
            return state.entries
        }
    }

    /// Stops counting bytes that the channel sealed.
    func sealed(_ byteCount: Int) {
        state.withLock { $0.byteCount -= byteCount }
    }

    /// Takes no more messages from now on.
    func stopAccepting() {
        state.withLock { $0.isAccepting = false }
    }

    /// Drops what waits, and takes no more.
    func discard() {
        state.withLock { $0 = State(isAccepting: false) }
    }
}
