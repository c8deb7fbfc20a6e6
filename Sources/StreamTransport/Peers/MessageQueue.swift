import Replication
import Synchronization

/// Messages on their way from any thread to the queue of a peer connection, and the count of all that wait.
final class MessageQueue: Sendable {
    /// A message and how it shares the connection with others.
    struct Entry: Sendable {
        let message: [UInt8]
        let urgency: SecureChannel.Urgency

        /// The bytes that count for it, with what it takes besides.
        var weight: Int { message.count + SecureChannel.messageOverhead }
    }

    private struct State {
        var entries: [Entry] = []
        /// Bytes in the entries, with what each takes besides, and in the channel once they moved there.
        var byteCount = 0
        /// Those of live messages.
        var liveByteCount = 0
        var isAccepting = true
        /// How many bytes may wait, as was said last.
        var limit: Int
    }

    private let state: Mutex<State>

    init(limit: Int) {
        state = Mutex(State(limit: limit))
    }

    /// How many bytes wait, here and in the channel.
    var count: Int { state.withLock { $0.byteCount } }

    /// How much waits, after what was said last.
    func congestion(after before: Congestion) -> Congestion {
        state.withLock { state in
            // Where little may wait, a part of it is much.
            Congestion(
                queued: state.byteCount, live: state.liveByteCount,
                highWater: min(PeerConnection.highWaterByteCount, state.limit / 4),
                lowWater: min(PeerConnection.lowWaterByteCount, state.limit / 8), before: before)
        }
    }

    /// Takes a message.
    ///
    /// - Parameter limit: how many bytes may wait from now on; nil for as many as before.
    /// - Returns: Whether it is the first since the queue was last emptied, so that somebody must come for it.
    func append(_ message: [UInt8], urgency: SecureChannel.Urgency, within limit: Int? = nil) throws(TransportError)
        -> Bool
    {
        try state.withLock { state throws(TransportError) in
            guard state.isAccepting else { throw .closed }
            if let limit { state.limit = limit }
            let entry = Entry(message: message, urgency: urgency)
            guard entry.weight <= state.limit - state.byteCount else { throw .overflow(limit: state.limit) }
            state.byteCount += entry.weight
            if urgency == .live { state.liveByteCount += entry.weight }
            state.entries.append(entry)
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

    /// Counts a message by what it weighs in the channel, to which it moved, and no more by what it weighed here.
    func moved(_ entry: Entry, weighing byteCount: Int, live liveByteCount: Int) {
        sealed(entry.weight - byteCount, live: (entry.urgency == .live ? entry.weight : 0) - liveByteCount)
    }

    /// Stops counting bytes that the channel sealed.
    ///
    /// - Parameter liveByteCount: those of live messages.
    func sealed(_ byteCount: Int, live liveByteCount: Int) {
        state.withLock { state in
            state.byteCount -= byteCount
            state.liveByteCount -= liveByteCount
        }
    }

    /// Takes no more messages from now on.
    func stopAccepting() {
        state.withLock { $0.isAccepting = false }
    }

    /// Drops what waits, and takes no more.
    func discard() {
        state.withLock { $0 = State(isAccepting: false, limit: 0) }
    }
}
