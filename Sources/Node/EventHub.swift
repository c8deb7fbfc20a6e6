import LocalAPIModel
import OperationLog
import Time

/// Hands events to everybody who watches, and remembers the latest so that a watcher can resume.
///
/// Ids rise by one while the node runs. Each run begins with a number that its time gives it, above all of earlier
/// runs: an id from before a restart is known to be too old, and never taken for one of now.
struct EventHub {
    /// How many events a watcher may have missed and still resume.
    static let memory = 1_024
    /// How many events are kept for a watcher that does not keep up.
    static let maximumWaiting = 4 * memory

    /// Room for the ids of a millisecond, so that no run reaches the ids of the next. Until 2100 they stay below 2^53,
    /// where JavaScript's whole numbers end.
    private static let idsPerMillisecond: UInt64 = 1 << 10

    /// The id of the latest event, also of one that was only counted.
    private(set) var lastID: UInt64
    private var recent: [Recent] = []
    private var watchers: [UInt64: Watcher] = [:]
    private var lastWatcher: UInt64 = 0
    /// How much those who want floods in short were told in this moment.
    var flood = Flood()
    /// The id of the latest event that stands for others, which nobody can be told any more.
    private var lastFold: UInt64 = 0

    private struct Watcher {
        let feed: AsyncStream<PublishedEvent>.Continuation
        /// Whether they want floods told in short.
        let folds: Bool
    }

    /// An event that a watcher can resume from.
    private enum Recent {
        case made(PublishedEvent)
        /// One that nobody watched: it is made when somebody resumes from before it.
        case unmade(id: UInt64, (UInt64) -> NodeEvent?)

        var id: UInt64 {
            switch self {
            case .made(let event): event.event.id
            case .unmade(let id, _): id
            }
        }
    }

    /// Begins to number for a run of the node.
    init(startedAt start: Timestamp) {
        lastID = UInt64(clamping: start.milliseconds) * Self.idsPerMillisecond
    }

    /// Numbers an event and hands it to every watcher. One that does not keep up loses the oldest and is told by a gap
    /// in the numbers.
    mutating func publish(_ make: (UInt64) -> NodeEvent) {
        lastID += 1
        let event = PublishedEvent(make(lastID))
        remember(.made(event))
        for watcher in watchers.values { watcher.feed.yield(event) }
    }

    /// Numbers an event, and makes it only if somebody watches, or resumes from before it: describing what nobody sees
    /// would cost as much as storing it.
    ///
    /// - Parameter make: makes it of what is known when it is asked; nil if it cannot be made any more, which tells who
    ///   resumes by a `resync`.
    mutating func publish(ifWatched make: @escaping (UInt64) -> NodeEvent?) {
        guard isWatched else {
            lastID += 1
            return remember(.unmade(id: lastID, make))
        }
        guard let event = make(lastID + 1) else { return }
        publish { _ in event }
    }

    private mutating func remember(_ event: Recent) {
        recent.append(event)
        if recent.count > 2 * Self.memory { recent.removeFirst(recent.count - Self.memory) }
    }

    /// Publishes an event that stands for others. Whoever wants each of them and resumes from before it gets a
    /// `resync`.
    mutating func publishFold(_ make: (UInt64) -> NodeEvent) {
        publish(make)
        lastFold = lastID
    }

    /// Counts events that nobody sees without making them: a catch-up of 100,000 messages must not pay for them.
    /// Whoever resumes from before such a time gets a `resync`.
    mutating func skip(_ count: Int) {
        lastID += UInt64(count)
        recent.removeAll()
    }

    /// Whether anybody would see an event now.
    var isWatched: Bool { !watchers.isEmpty }

    /// Whether anybody who would see an event now wants floods in short.
    var hasFolding: Bool { watchers.values.contains(where: \.folds) }

    /// Whether all who would see an event now want floods in short.
    var isFolding: Bool { isWatched && watchers.values.allSatisfy(\.folds) }

    /// Begins a stream, with what came after `since` first; with a `resync` if that is no longer known.
    ///
    /// - Parameter folds: whether the watcher wants floods told in short.
    mutating func watch(since: UInt64?, folding folds: Bool = false, onEnd: @escaping @Sendable (UInt64) -> Void)
        -> EventSubscription
    {
        lastWatcher += 1
        let watcher = lastWatcher
        var position = lastID
        var first: [PublishedEvent] = []
        if let since {
            let oldest = recent.first?.id ?? lastID + 1
            if since > lastID || since + 1 < oldest || !folds && (since < lastFold || !flood.folded.isEmpty) {
                first.append(PublishedEvent(NodeEvent(id: lastID, type: .resync)))
            } else {
                position = since
                make(after: since)
                for case .made(let event) in recent where event.event.id > since { first.append(event) }
            }
        }
        let subscription = EventSubscription(after: position, keeping: Self.maximumWaiting)
        for event in first { subscription.feed.yield(event) }
        subscription.feed.onTermination = { _ in onEnd(watcher) }
        watchers[watcher] = Watcher(feed: subscription.feed, folds: folds)
        return subscription
    }

    /// Makes the events after an id that nobody watched.
    private mutating func make(after id: UInt64) {
        for (index, event) in recent.enumerated() {
            guard case .unmade(let number, let make) = event, number > id, let made = make(number) else { continue }
            recent[index] = .made(PublishedEvent(made))
        }
    }

    /// Forgets a watcher whose stream has ended.
    mutating func forget(_ watcher: UInt64) {
        watchers[watcher] = nil
    }

    /// Ends every stream.
    mutating func finish() {
        for watcher in watchers.values { watcher.feed.finish() }
        watchers = [:]
        // What makes events holds the node.
        recent = []
    }
}
