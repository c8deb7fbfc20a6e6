import OperationLog
import Time

/// What was held of a lane a moment ago.
///
/// While many write at once, a peer that lacks nothing says what was held here a moment ago: what came since is on its
/// way to it. Comparing would only send that once more.
struct RecentDigests: Sendable {
    /// How long what is pushed may be on its way.
    static let duration: Duration = .seconds(1)
    /// How many are remembered, the latest.
    static let maximumCount = 16

    private var entries: [(digest: FrontierDigest, until: Instant)] = []

    /// Notes what was held until now.
    mutating func insert(_ digest: FrontierDigest, at now: Instant) {
        entries.removeAll { $0.until <= now }
        if entries.count == Self.maximumCount { entries.removeFirst() }
        entries.append((digest, now + Self.duration))
    }

    /// Whether what a peer says on a connection was held a moment ago.
    func contains(_ said: LaneDigest, transcript: [UInt8], at now: Instant) -> Bool {
        entries.contains { $0.until > now && LaneDigest(of: $0.digest, transcript: transcript) == said }
    }
}
