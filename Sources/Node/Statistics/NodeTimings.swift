import NodeCore
import Replication
import SQLiteStore
import Time

/// How long what a node does took, since it was started.
public struct NodeTimings: Sendable {
    /// Making changes durable: a transaction, or the end of a group of them.
    public var commits: DurationHistogram
    /// Fetching what was lacking of a lane, from asking for it to having it.
    public var pulls: DurationHistogram
    /// Live messages, from being written to being stored here, by the clocks of both hosts.
    public var liveDelays: DurationHistogram
}

extension Node {
    /// How long what it does took.
    public func timings() -> NodeTimings {
        NodeTimings(
            commits: store.commitTimes, pulls: core.replicator.pullTimes, liveDelays: core.liveDelays)
    }
}
