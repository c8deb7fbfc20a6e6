/// When something happens, by both clocks of a node.
public struct Moment: Hashable, Sendable {
    /// By the clock that never goes back: what waits and expires goes by it.
    public let monotonic: Instant
    /// By the clock that people set: operations claim it.
    public let wall: Timestamp

    /// Reads both clocks.
    public init(monotonic: Instant, wall: Timestamp) {
        self.monotonic = monotonic
        self.wall = wall
    }
}
