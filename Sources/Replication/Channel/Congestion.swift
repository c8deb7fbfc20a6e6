/// How much waits to be sent on a connection.
///
/// What is live overtakes what is bulky, so a long answer or a file that waits is no reason to keep back what somebody
/// has just written: only live messages that wait themselves are.
public enum Congestion: Hashable, Sendable {
    /// Little: anything may be added. Next: bulk, live.
    case none
    /// So much that nothing bulky should be added. Next: none, live.
    case bulk
    /// So much that is live that only what cannot wait should be added. Next: none, bulk.
    case live

    /// Judges what waits. A connection that was congested stays so until much less waits; of what is live half as much
    /// is congestion.
    ///
    /// - Parameters:
    ///   - queued: bytes that wait.
    ///   - live: those of live messages.
    ///   - highWater: from this many bytes on a connection is congested.
    ///   - lowWater: below this many it no longer is.
    ///   - before: what was said last.
    public init(queued: Int, live: Int, highWater: Int, lowWater: Int, before: Congestion) {
        if live >= (before == .live ? lowWater : highWater) / 2 {
            self = .live
        } else if queued >= (before == .none ? highWater : lowWater) {
            self = .bulk
        } else {
            self = .none
        }
    }
}
