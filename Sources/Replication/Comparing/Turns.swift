import Time

/// Whom a node asks next for what it lacks of a lane.
///
/// One peer is asked after the other, in the order of their connections. Who names what is not here is asked at once, out of turn. But while others
/// are to be asked as well, that is not so for who had the last turn, and only once until the next one: so nobody keeps others from being asked,
/// whatever they say they hold. While messages are coming, the next question is asked later and later after answers that brought nothing.
struct Turns: Sendable {
    /// How long the next question waits at most.
    static let maximumPause = PushedLately.duration
    /// How long it waits after the first answer that brings nothing.
    private static let firstPause = Replicator.grace * 2

    /// Who was asked last.
    private var last: PeerHandle?
    /// Who had the last turn, and who was asked out of turn since.
    private var served: Set<PeerHandle> = []
    /// Whether anything came that the peer was asked for who is asked now.
    private var isBringing = false
    /// How many answers in a row brought nothing.
    private var vainAnswers = 0
    /// Until when nobody is asked while messages are coming.
    private(set) var pausesUntil: Instant?

    /// Notes who is asked.
    ///
    /// - Parameter isOutOfTurn: whether it is asked because of what it has just said.
    mutating func begin(with peer: PeerHandle, isOutOfTurn: Bool) {
        if !isOutOfTurn { served = [] }
        served.insert(peer)
        last = peer
        isBringing = false
    }

    /// Whether a peer is asked out of turn only where nobody else is to be asked.
    func hasHad(_ peer: PeerHandle) -> Bool { served.contains(peer) }

    /// Forgets a peer that is gone.
    mutating func forget(_ peer: PeerHandle) { served.remove(peer) }

    /// Notes that something came that was asked for.
    mutating func bring() { isBringing = true }

    /// Notes that an answer has ended.
    ///
    /// - Parameter isInFlow: whether what its peer holds may only be on its way: else it is no reason to pause that it brought nothing.
    mutating func end(isInFlow: Bool, at now: Instant) {
        if isBringing {
            (vainAnswers, pausesUntil) = (0, nil)
        } else if isInFlow {
            pausesUntil = now + min(Self.maximumPause, Self.firstPause * (1 << min(vainAnswers, 10)))
            vainAnswers += 1
        }
        isBringing = false
    }

    /// Whether nobody is asked now while messages are coming.
    func isPausing(at now: Instant) -> Bool { pausesUntil.map { $0 > now } ?? false }

    /// Whether one peer's turn comes before another's.
    func isBefore(_ one: PeerHandle, _ other: PeerHandle) -> Bool {
        let (oneIsLater, otherIsLater) = (last.map { one > $0 } ?? true, last.map { other > $0 } ?? true)
        return oneIsLater == otherIsLater ? one < other : oneIsLater
    }
}
