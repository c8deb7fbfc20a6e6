import Time

/// How many messages of a kind a peer may send: so many at once, and then one more in every interval.
///
/// What is above that is not looked at: any honest node asks for it or says it again. Kinds that cost the same share a
/// limit.
struct RateLimit: Hashable, Sendable {
    /// What is counted.
    enum Unit: Hashable, Sendable {
        /// Messages.
        case messages
        /// The entries of their lists; an empty list counts as one.
        case entries
    }

    private let kind: UInt8
    fileprivate let burst: Int
    fileprivate let interval: Duration
    fileprivate let unit: Unit

    /// Describes a limit.
    ///
    /// - Parameter kind: whose limit it is, though others may share it.
    init(of kind: UInt8, burst: Int, every interval: Duration, counts unit: Unit = .messages) {
        (self.kind, self.burst, self.interval, self.unit) = (kind, burst, interval, unit)
    }
}

/// What a peer may still send of each kind.
struct RateLimits: Sendable {
    private var buckets: [RateLimit: TokenBucket] = [:]

    /// Takes a message into account; whether there is room for it.
    ///
    /// - Parameter entries: the entries of its list.
    mutating func take(_ limit: RateLimit, entries: Int = 1, at now: Instant) -> Bool {
        let count = limit.unit == .entries ? max(1, entries) : 1
        return buckets[limit, default: TokenBucket(burst: limit.burst, interval: limit.interval)].take(count, at: now)
    }

    /// When there is room for one more; nil if nothing was taken.
    func next(_ limit: RateLimit) -> Instant? { buckets[limit]?.next }
}
