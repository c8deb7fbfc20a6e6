import Cryptography
import OperationLog
import Replication
import Time

/// The pace of everybody who has pushed something lately, whatever devices and connections they did it with.
///
/// It outlives connections: else each new one would be good for another ``PushRateLimit/burst``. Somebody is forgotten
/// when what was taken of them has worn off.
struct PushRateLimits {
    /// How many people it remembers. To be one of them for a second, somebody must have pushed
    /// ``PushRateLimit/perSecond``, so a node that is flooded by new people all the time remembers about a hundred.
    static let maximumRateLimits = 1_024

    private var rateLimits: [UserID: PushRateLimit] = [:]

    /// How many people are remembered.
    var count: Int { rateLimits.count }

    /// Counts a batch that somebody pushed, unless too much was taken of them before.
    ///
    /// - Returns: how long it takes until the batch may be taken; nil if it is taken now.
    mutating func take(_ byteCount: Int, of user: UserID, at now: Instant) -> Duration? {
        makeRoom(for: user, at: now)
        return rateLimits[user, default: PushRateLimit()].take(byteCount, at: now)
    }

    /// How long it takes until an answer of somebody may be looked at; nil if it may be now.
    func answerWait(of user: UserID, at now: Instant) -> Duration? { rateLimits[user]?.answerWait(at: now) }

    /// Counts what it cost to take a batch of content that somebody brought.
    mutating func spend(_ cost: Duration, on operations: Int, of user: UserID, at now: Instant) {
        var rateLimit = rateLimits[user] ?? PushRateLimit()
        rateLimit.spend(cost, on: operations, at: now)
        guard rateLimit.remains(at: now) > 0 else { return }
        makeRoom(for: user, at: now)
        rateLimits[user] = rateLimit
    }

    /// The bytes of somebody that were taken and have not worn off.
    func remains(of user: UserID, at now: Instant) -> Int { rateLimits[user]?.remains(at: now) ?? 0 }

    /// Forgets whom it need not remember; if there is nobody, whoever has least to wait for.
    private mutating func makeRoom(for user: UserID, at now: Instant) {
        guard rateLimits[user] == nil, rateLimits.count >= Self.maximumRateLimits else { return }
        rateLimits = rateLimits.filter { $0.value.remains(at: now) > 0 }
        guard rateLimits.count >= Self.maximumRateLimits,
            let least = rateLimits.min(by: { $0.value.remains(at: now) < $1.value.remains(at: now) })
        else { return }
        rateLimits[least.key] = nil
    }
}
