import NodeCore
import Replication

/// How fast a node takes what one connection pushes: so much at once, then so much a second.
///
/// Whoever writes faster than the others can fetch and store makes everybody's messages wait: a message is shown after what its author had seen
/// before. So a connection above the pace rests, and TCP slows its sender down. Answers keep no pace: a newcomer must not wait for hours.
struct PushPace {
    /// Bytes of pushed batches that are taken at once.
    static let burst = 8 << 20
    /// Bytes that are taken a second after that.
    static let perSecond = 4 << 20

    /// What was taken and has not worn off.
    private var taken = 0
    private var asOf = Instant(sinceStart: .zero)

    /// Counts a batch.
    ///
    /// - Returns: how long the connection rests before the next message of it is looked at; nil for not at all.
    mutating func take(_ byteCount: Int, at now: Instant) -> Duration? {
        let elapsed = (now - asOf) / .seconds(1)
        let wornOff = elapsed * Double(Self.perSecond)
        taken = wornOff >= Double(taken) ? 0 : taken - Int(wornOff)
        asOf = now
        taken += byteCount
        return taken > Self.burst ? .seconds(1) * (Double(taken - Self.burst) / Double(Self.perSecond)) : nil
    }
}
