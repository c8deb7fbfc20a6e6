import NodeCore
import Replication
import Time

/// How fast a node takes what one person pushes: so much at once, then so much a second.
///
/// Whoever writes faster than the others can fetch and store makes everybody's messages wait: a message is shown after what its author had seen
/// before. So a connection above the pace rests, and TCP slows its sender down. Answers keep no pace: a newcomer must not wait for hours.
struct PushRateLimit {
    /// Bytes of pushed batches that are taken at once.
    static let burst = 8 << 20
    /// Bytes that are taken a second after that.
    static let perSecond = 4 << 20

    /// What was taken and had not worn off at a moment.
    private var taken = 0
    private var asOf = Instant(sinceStart: .zero)

    /// Counts a batch, unless too much was taken before.
    ///
    /// - Returns: how long it takes until the batch may be taken; nil if it is taken now.
    mutating func take(_ byteCount: Int, at now: Instant) -> Duration? {
        taken = remains(at: now)
        asOf = now
        guard taken <= Self.burst else { return .seconds(1) * (Double(taken - Self.burst) / Double(Self.perSecond)) }
        taken += byteCount
        return nil
    }

    /// The bytes that were taken and have not worn off.
    func remains(at now: Instant) -> Int {
        let wornOff = (now - asOf) / .seconds(1) * Double(Self.perSecond)
        return wornOff >= Double(taken) ? 0 : taken - Int(wornOff)
    }
}
