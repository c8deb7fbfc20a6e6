import NodeCore
import Replication
import Time

/// How fast a node takes what one person pushes: so much at once, then so much a second.
///
/// Whoever writes faster than the others can fetch and store makes everybody's messages wait: a message is shown after
/// what its author had seen before. So a connection above the pace rests, and TCP slows its sender down. Answers keep
/// no pace: a newcomer must not wait for hours. But content that costs much to judge, be it by long detours through the
/// membership lane, is counted where its author brings it, and makes all they bring wait.
struct PushRateLimit {
    /// Bytes of pushed batches that are taken at once.
    static let burst = 8 << 20
    /// Bytes that are taken a second after that.
    static let perSecond = 4 << 20

    /// What share of one core all connections of a person may take with content that costs more than it should.
    static let costShare = 0.25

    /// What was taken and had not worn off at a moment.
    private var taken = 0
    private var asOf = Instant(sinceStart: .zero)

    /// Counts a batch, unless too much was taken before.
    ///
    /// - Returns: how long it takes until the batch may be taken; nil if it is taken now.
    mutating func take(_ byteCount: Int, at now: Instant) -> Duration? {
        if let wait = wait(beyond: Self.burst, at: now) { return wait }
        count(byteCount, at: now)
        return nil
    }

    /// How long it takes until an answer may be looked at; nil if it may be now. What is pushed alone never makes it
    /// wait.
    func answerWait(at now: Instant) -> Duration? {
        wait(beyond: Self.burst + SecureChannel.maximumMessageBytes, at: now)
    }

    private func wait(beyond limit: Int, at now: Instant) -> Duration? {
        let excess = remains(at: now) - limit
        return excess > 0 ? .seconds(1) * (Double(excess) / Double(Self.perSecond)) : nil
    }

    /// Counts what it cost to take a batch of content beyond the ordinary, so that ``costShare`` of the processor pays
    /// for it.
    mutating func spend(_ cost: Duration, on operations: Int, at now: Instant) {
        let excess = AdmissionPace.excess(of: cost, on: operations)
        guard excess > .zero else { return }
        count(Int(excess / .seconds(1) / Self.costShare * Double(Self.perSecond)), at: now)
    }

    private mutating func count(_ byteCount: Int, at now: Instant) {
        taken = remains(at: now) + byteCount
        asOf = now
    }

    /// The bytes that were taken and have not worn off.
    func remains(at now: Instant) -> Int {
        let wornOff = (now - asOf) / .seconds(1) * Double(Self.perSecond)
        return wornOff >= Double(taken) ? 0 : taken - Int(wornOff)
    }
}
