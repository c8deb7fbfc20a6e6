/// How long to wait before the next attempt at something that keeps failing: exponential, with jitter.
///
/// The ceiling doubles from 250 ms to 30 s; each wait is drawn evenly from the upper half below the ceiling, so that nodes that
/// lost the same peer at the same moment do not come back at the same moment.
public struct Backoff: Hashable, Sendable {
    /// The ceiling of the first wait.
    public static let shortest = Duration.milliseconds(250)
    /// The ceiling that is never exceeded.
    public static let longest = Duration.seconds(30)

    /// The longest that the next wait can be.
    public private(set) var ceiling = Self.shortest

    /// A backoff before the first failure.
    public init() {}

    /// Draws the wait after one more failure, and raises the ceiling of the one after it.
    public mutating func next(using random: inout some RandomNumberGenerator) -> Duration {
        let upper = ceiling
        ceiling = min(upper * 2, Self.longest)
        let milliseconds = upper.components.seconds * 1000 + upper.components.attoseconds / 1_000_000_000_000_000
        return .milliseconds(Int64.random(in: milliseconds / 2...milliseconds, using: &random))
    }

    /// Starts again from the shortest wait: there is news, for example a success or a beacon.
    public mutating func reset() {
        self = Backoff()
    }
}
