import Synchronization

/// How much all peer connections hold together of messages that have not come whole.
///
/// A message may be long, and a peer may never complete it. When all partial messages together exceed the maximum, the
/// connection whose message has been incomplete for longest is closed: an honest peer completes its message within
/// moments.
public final class PartialMessages: Sendable {
    /// Bytes that may be held, unless told otherwise.
    public static let maximumBytes = 24 << 20

    private struct Part {
        var byteCount = 0
        /// Smaller for what began earlier.
        var began: UInt64 = 0
        let forceClose: @Sendable () -> Void
    }

    private struct State {
        var parts: [UInt64: Part] = [:]
        var byteCount = 0
        var last: UInt64 = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    /// Holds nothing.
    public init(limit: Int = PartialMessages.maximumBytes) {
        self.limit = limit
    }

    /// Bytes that are held.
    public var byteCount: Int { state.withLock { $0.byteCount } }

    /// Begins to count what a connection holds.
    ///
    /// - Parameter forceClose: ends the connection, later.
    /// - Returns: what to call it.
    func add(_ forceClose: @escaping @Sendable () -> Void) -> UInt64 {
        state.withLock { state in
            state.last += 1
            state.parts[state.last] = Part(forceClose: forceClose)
            return state.last
        }
    }

    /// Notes how much a connection holds now.
    ///
    /// - Parameter isNew: whether a message has ended since this was last noted.
    func note(_ byteCount: Int, of id: UInt64, isNew: Bool) {
        state.withLock { state in
            guard var part = state.parts[id] else { return }
            state.byteCount += byteCount - part.byteCount
            if isNew || part.byteCount == 0 {
                state.last += 1
                part.began = state.last
            }
            part.byteCount = byteCount
            state.parts[id] = part
            while state.byteCount > limit,
                let oldest = state.parts.lazy.filter({ $0.value.byteCount > 0 })
                    .min(by: { $0.value.began < $1.value.began })
            {
                oldest.value.forceClose()
                state.byteCount -= oldest.value.byteCount
                state.parts[oldest.key] = nil
            }
        }
    }

    /// Counts a connection no longer.
    func remove(_ id: UInt64) {
        state.withLock { state in
            if let part = state.parts.removeValue(forKey: id) { state.byteCount -= part.byteCount }
        }
    }
}
