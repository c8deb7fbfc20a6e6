import Time

/// What somebody may still ask for: so much at once, and then one more in every interval.
///
/// What is above a budget waits or is not looked at. It is no offense: rate, unlike a lie, is nothing that an honest
/// node could not bring about.
package struct TokenBucket: Hashable, Sendable {
    private let burst: Int
    private let interval: Duration
    /// Until when what was taken is paid for by time; nil for nothing yet.
    private var paid: Instant?

    /// Allows `burst` at once, then one in every interval.
    package init(burst: Int, interval: Duration) {
        self.burst = burst
        self.interval = interval
    }

    /// Takes as much, if all of it is there.
    package mutating func take(_ count: Int = 1, at now: Instant) -> Bool {
        let after = max(paid ?? now, now) + interval * count
        guard after - now <= interval * burst else { return false }
        paid = after
        return true
    }

    /// Takes as much, even if it is not all there: the rest is owed.
    package mutating func spend(_ count: Int, at now: Instant) { paid = max(paid ?? now, now) + interval * count }

    /// When one more is there, or was.
    package var next: Instant? { paid.map { $0 + interval * (1 - burst) } }

    /// Whether nothing that was taken is still to be paid for.
    package func isFull(at now: Instant) -> Bool { paid.map { $0 <= now } ?? true }
}
