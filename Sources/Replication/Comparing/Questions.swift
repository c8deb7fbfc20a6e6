import Time

/// Whom a node asks about a lane of which more is coming all the time, and when.
///
/// One peer is asked after the other, in the order of their connections: so nobody takes the turns of others, whatever they say they hold. After
/// answers that bring nothing the next question is asked later and later.
struct Questions: Sendable {
    /// How long the next question waits at most: what is lost although it was pushed to everybody is found that late.
    static let maximumPause = PushedLately.duration
    /// How long it waits after the first answer that brings nothing.
    private static let firstPause = Replicator.grace * 2

    /// Who had the last turn.
    private var last: PeerHandle?
    /// Whether anything came that the peer was asked for who is asked now.
    private var isBringing = false
    /// How many answers in a row brought nothing.
    private var vainAnswers = 0
    /// When somebody is asked again.
    private(set) var next: Instant?

    /// Notes whose turn it is.
    mutating func begin(with peer: PeerHandle) {
        last = peer
        isBringing = false
    }

    /// Notes that something came that was asked for.
    mutating func bring() { isBringing = true }

    /// Notes that an answer has ended.
    mutating func end(at now: Instant) {
        vainAnswers = isBringing ? 0 : vainAnswers + 1
        next = isBringing ? nil : now + min(Self.maximumPause, Self.firstPause * (1 << min(vainAnswers - 1, 10)))
        isBringing = false
    }

    /// Whether nobody is asked yet.
    func isPausing(at now: Instant) -> Bool { next.map { $0 > now } ?? false }

    /// Whether one peer's turn comes before another's.
    func isBefore(_ one: PeerHandle, _ other: PeerHandle) -> Bool {
        let (oneIsLater, otherIsLater) = (last.map { one > $0 } ?? true, last.map { other > $0 } ?? true)
        return oneIsLater == otherIsLater ? one < other : oneIsLater
    }
}
