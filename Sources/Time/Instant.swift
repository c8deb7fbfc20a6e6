/// A moment on a node's own monotonic clock: the time since some start that only that node knows.
///
/// Cores are handed moments; they never read a clock.
public struct Instant: Hashable, Comparable, Sendable {
    /// The time since the clock's start.
    public let sinceStart: Duration

    /// Names the moment a duration after the clock's start.
    public init(sinceStart: Duration) {
        self.sinceStart = sinceStart
    }

    /// The order of time.
    public static func < (left: Instant, right: Instant) -> Bool { left.sinceStart < right.sinceStart }

    /// The moment a duration later.
    public static func + (left: Instant, right: Duration) -> Instant { Instant(sinceStart: left.sinceStart + right) }

    /// How much later the first is than the second.
    public static func - (left: Instant, right: Instant) -> Duration { left.sinceStart - right.sinceStart }
}
