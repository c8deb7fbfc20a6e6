/// How long to wait after a number of failures in a row: twice as long after each, up to a limit.
public struct Backoff: Hashable, Sendable {
    /// How long after the first.
    public let first: Duration
    /// How long at most.
    public let longest: Duration

    /// A wait of `first` that doubles up to `longest`.
    public init(from first: Duration, to longest: Duration) { (self.first, self.longest) = (first, longest) }

    /// How long to wait after some failures in a row; nothing after none.
    public func rest(after failures: Int) -> Duration {
        failures > 0 ? min(longest, first * (1 << min(failures - 1, 30))) : .zero
    }
}
