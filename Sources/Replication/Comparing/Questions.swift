import Time

/// Whom a node asks next for what it lacks of a lane.
///
/// One peer is asked after the other, in the order of their connections. Who names what is not here is asked at once, but while others are to be
/// asked only once before one of those had their turn: so nobody keeps others from being asked, whatever they say they hold. While messages are
/// coming, the next question is asked later and later after answers that brought nothing.
struct Questions: Sendable {
    /// How long the next question waits at most.
    static let maximumPause = PushedLately.duration
    /// How long it waits after the first answer that brings nothing.
    private static let firstPause = Replicator.grace * 2

    /// Who was asked last.
    private var last: PeerHandle?
    /// Who was asked out of turn since somebody was asked in turn.
    private var early: Set<PeerHandle> = []
    /// Whether anything came that the peer was asked for who is asked now.
    private var isBringing = false
    /// How many answers in a row brought nothing.
    private var vainAnswers = 0
    /// When somebody is asked again, at the earliest, while messages are coming.
    private(set) var next: Instant?

    /// Notes who is asked, and whether that is because of what they have just named.
    mutating func begin(with peer: PeerHandle, isEarly: Bool) {
        last = peer
        isBringing = false
        if isEarly { early.insert(peer) } else { early = [] }
    }

    /// Whether a peer was asked out of turn since somebody was asked in turn.
    func wasEarly(_ peer: PeerHandle) -> Bool { early.contains(peer) }

    /// Notes that something came that was asked for.
    mutating func bring() { isBringing = true }

    /// Notes that an answer has ended.
    mutating func end(at now: Instant) {
        vainAnswers = isBringing ? 0 : vainAnswers + 1
        next = isBringing ? nil : now + min(Self.maximumPause, Self.firstPause * (1 << min(vainAnswers - 1, 10)))
        isBringing = false
    }

    /// Whether nobody is asked yet, while messages are coming.
    func isPausing(at now: Instant) -> Bool { next.map { $0 > now } ?? false }

    /// Whether one peer's turn comes before another's.
    func isBefore(_ one: PeerHandle, _ other: PeerHandle) -> Bool {
        let (oneIsLater, otherIsLater) = (last.map { one > $0 } ?? true, last.map { other > $0 } ?? true)
        return oneIsLater == otherIsLater ? one < other : oneIsLater
    }
}
