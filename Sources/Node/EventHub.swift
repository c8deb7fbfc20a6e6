/// Hands events to everybody who watches, and remembers the latest so that a watcher can resume.
struct EventHub {
    /// How many events a watcher may have missed and still resume.
    static let memory = 1_024

    private var lastID: UInt64 = 0
    private var recent: [NodeEvent] = []
    private var watchers: [UInt64: AsyncStream<NodeEvent>.Continuation] = [:]
    private var lastWatcher: UInt64 = 0

    /// Numbers an event and hands it to every watcher. One that does not keep up loses the oldest and is told by a gap in
    /// the numbers.
    mutating func publish(_ make: (UInt64) -> NodeEvent) {
        lastID += 1
        let event = make(lastID)
        recent.append(event)
        if recent.count > 2 * Self.memory { recent.removeFirst(recent.count - Self.memory) }
        for watcher in watchers.values { watcher.yield(event) }
    }

    /// Counts events that nobody sees without making them: a catch-up of 100,000 messages must not pay for them. Whoever
    /// resumes from before such a time gets a `resync`.
    mutating func skip(_ count: Int) {
        lastID += UInt64(count)
        recent.removeAll()
    }

    /// Whether anybody would see an event now.
    var isWatched: Bool { !watchers.isEmpty }

    /// Begins a stream, with what came after `since` first; with a `resync` if that is no longer known.
    mutating func watch(
        since: UInt64?, onEnd: @escaping @Sendable (UInt64) -> Void
    ) -> AsyncStream<NodeEvent> {
        lastWatcher += 1
        let watcher = lastWatcher
        let (stream, continuation) = AsyncStream.makeStream(
            of: NodeEvent.self, bufferingPolicy: .bufferingNewest(4 * Self.memory))
        if let since {
            let oldest = recent.first?.id ?? lastID + 1
            if since > lastID || since + 1 < oldest {
                continuation.yield(NodeEvent(id: lastID, type: "resync"))
            } else {
                for event in recent where event.id > since { continuation.yield(event) }
            }
        }
        continuation.onTermination = { _ in onEnd(watcher) }
        watchers[watcher] = continuation
        return stream
    }

    /// Forgets a watcher whose stream has ended.
    mutating func forget(_ watcher: UInt64) {
        watchers[watcher] = nil
    }

    /// Ends every stream.
    mutating func finish() {
        for watcher in watchers.values { watcher.finish() }
        watchers = [:]
    }
}
