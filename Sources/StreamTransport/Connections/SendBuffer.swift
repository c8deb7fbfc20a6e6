import Synchronization

/// What the threads that use a connection share with the queue that runs it.
final class SendBuffer: Sendable {
    private struct State {
        var bytes = OutgoingBytes()
        /// Whether a flush is on its way, or the socket will call when it has room again.
        var isFlowing = false
        var isAccepting = true
        var isReadingPaused = false
        /// Whether ``StreamConnection/lowWater`` bytes waited since the connection last drained.
        var wasFull = false
    }

    private let maximumBytes: Int
    private let state = Mutex(State())

    init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    /// How many bytes wait.
    var count: Int { state.withLock { $0.bytes.count } }

    /// Whether what arrives is to be left in the socket.
    var isReadingPaused: Bool {
        get { state.withLock { $0.isReadingPaused } }
        set { state.withLock { $0.isReadingPaused = newValue } }
    }

    /// Takes bytes to send.
    ///
    /// - Returns: Whether the caller must see to a flush.
    func append(_ bytes: [UInt8]) throws(TransportError) -> Bool {
        try state.withLock { state throws(TransportError) in
            guard state.isAccepting else { throw .closed }
            guard bytes.count <= maximumBytes - state.bytes.count else { throw .overflow(limit: maximumBytes) }
            state.bytes.append(bytes)
            if state.bytes.count >= StreamConnection.lowWater { state.wasFull = true }
            defer { state.isFlowing = true }
            return !state.isFlowing
        }
    }

    /// Takes no more bytes from now on.
    ///
    /// - Returns: Whether it took some until now.
    func stopAccepting() -> Bool {
        state.withLock { state in
            defer { state.isAccepting = false }
            return state.isAccepting
        }
    }

    /// Drops what waits, and takes no more.
    func discard() {
        state.withLock { state in
            state.isAccepting = false
            state.bytes.removeAll()
        }
    }

    /// What to send next; nil, and the flow stops, when nothing waits.
    func next() -> (chunk: [UInt8], offset: Int)? {
        state.withLock { state in
            let next = state.bytes.next
            if next == nil { state.isFlowing = false }
            return next
        }
    }

    /// Forgets bytes that were sent.
    ///
    /// - Returns: Whether the connection drained by it.
    func removeFirst(_ sent: Int) -> Bool {
        state.withLock { state in
            state.bytes.removeFirst(sent)
            guard state.wasFull, state.bytes.count < StreamConnection.lowWater else { return false }
            state.wasFull = false
            return true
        }
    }
}
