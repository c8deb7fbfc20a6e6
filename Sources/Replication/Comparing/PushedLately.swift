import OperationLog
import Time

/// What this node held of a lane a moment ago, while all newer operations were pushed to every member by their authors.
///
/// A member who lacks one of those will get it by its push. To ask for it would bring it twice. While many people write
/// at once, replicas differ all the time by such operations.
struct PushedLately: Sendable {
    /// How long what is pushed may be on its way.
    static let duration = RecentDigests.duration
    /// How far apart the moments are that are remembered, at least.
    private static let step = duration / 4

    /// What was held, and until when.
    private var entries: [(frontier: Frontier, until: Instant)] = []
    private var last: Instant?

    /// Notes that something came; `before` was held until now.
    ///
    /// - Parameter isEverywhere: whether its author pushed it to everybody, as far as is known here.
    mutating func note(_ isEverywhere: Bool, after before: Frontier, at now: Instant) {
        guard isEverywhere else { return forget() }
        entries.removeAll { $0.until + Self.duration <= now }
        last = now
        if let latest = entries.last, now - latest.until < Self.step { return }
        entries.append((before, now))
    }

    /// Notes that others may lack something of what came, and nobody sends it to them.
    mutating func forget() { self = PushedLately() }

    /// Whether something was pushed a moment ago.
    func isComing(at now: Instant) -> Bool { last.map { now - $0 < Self.duration } ?? false }

    /// What was held before all that may still be on its way; nil where nothing is.
    ///
    /// - Parameter duration: how long something is on its way.
    func settled(at now: Instant, within duration: Duration = Self.duration) -> Frontier? {
        entries.first { $0.until + duration > now }?.frontier
    }
}
