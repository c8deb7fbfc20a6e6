import OperationLog
import Time

/// Whom a node asks next for what it lacks of a lane.
///
/// Turns belong to people, however many devices they have. The person whose turn was longest ago is next. For somebody
/// whose pushed batch waits here it counts as ``lead`` turns earlier, and for somebody who left questions unanswered as
/// later, by at most ``maximumPenalty`` turns. So everybody has a turn within a bounded number of turns of others,
/// whatever these do. After a turn without an answer the next goes to somebody who did answer.
///
/// A peer that names something missing is asked at once, out of turn. While others are to be asked as well, neither the
/// person of the last turn nor one who left the last question unanswered is asked out of turn, and anybody else only
/// once until the next turn. While messages are coming, each answer that brought nothing makes the next question wait
/// longer.
struct Turns: Sendable {
    /// How long the next question waits after answers that bring nothing.
    private static let pause = Backoff(from: Replicator.grace * 2, to: PushedLately.duration)
    /// How many turns earlier somebody is asked whose pushed batch waits.
    private static let lead = 4
    /// How many turns later somebody is asked at most who did not answer.
    private static let maximumPenalty = 16

    /// What is known of somebody who was asked.
    private struct Person: Sendable {
        /// The number of their last turn.
        var turn: Int
        /// Which of their devices was asked then.
        var device: PeerHandle
        /// How many of their turns in a row ended without an answer.
        var silences = 0
    }

    /// Those who were asked and are in the conversation.
    private var people: [UserID: Person] = [:]
    /// How many turns there were.
    private var count = 0
    /// Who is asked, or was last.
    private var current: UserID?
    /// Who had the last turn, and who was asked out of turn since.
    private var served: Set<UserID> = []
    /// How long the last answer took, also one that came too late.
    var answerTime: Duration = .zero
    /// How many answers in a row brought nothing.
    private var vainAnswers = 0
    /// Until when nobody is asked while messages are coming.
    private(set) var pausesUntil: Instant?

    /// Notes who is asked.
    ///
    /// - Parameter isOutOfTurn: whether it is asked because of what it has just said.
    mutating func begin(with peer: PeerHandle, of user: UserID, isOutOfTurn: Bool) {
        if !isOutOfTurn { served = [] }
        served.insert(user)
        count += 1
        people[user] = Person(turn: count, device: peer, silences: silences(of: user))
        current = user
    }

    /// Whether somebody is asked out of turn only where nobody else is to be asked.
    func waitsForTurn(_ user: UserID) -> Bool { served.contains(user) || silences(of: user) > 0 }

    /// How many turns in a row of somebody ended without an answer.
    func silences(of user: UserID) -> Int { people[user]?.silences ?? 0 }

    /// Forgets people who are not in the conversation any more. A member whose connection ends is remembered.
    mutating func forget(allBut audience: [UserID: MembershipStatus]) {
        people = people.filter { audience[$0.key] != nil }
        served = served.filter { audience[$0] != nil }
    }

    /// Notes that whoever is asked answers.
    mutating func noteAnswer() { if let current { people[current]?.silences = 0 } }

    /// Notes that an answer has ended.
    ///
    /// - Parameters:
    ///   - hasBrought: whether anything came that was asked for.
    ///   - isInFlow: whether what its peer holds may only be on its way: else it is no reason to pause that it brought
    ///     nothing.
    mutating func end(hasBrought: Bool, isInFlow: Bool, at now: Instant) {
        if hasBrought {
            (vainAnswers, pausesUntil) = (0, nil)
        } else if isInFlow {
            vainAnswers += 1
            pausesUntil = now + Self.pause.rest(after: vainAnswers)
        }
        noteAnswer()
    }

    /// Notes that no answer is waited for any more, after a turn in which nothing came.
    mutating func leaveUnanswered() { if let current { people[current]?.silences += 1 } }

    /// Somebody who may be asked.
    struct Candidate: Hashable, Sendable {
        let peer: PeerHandle
        let user: UserID
        /// Whether what they pushed waits for what is asked for.
        var isAwaited = false
    }

    /// Whether one turn comes before another.
    func isBefore(_ one: Candidate, _ other: Candidate) -> Bool {
        let (isSilent, otherIsSilent) = (silences(of: one.user) > 0, silences(of: other.user) > 0)
        let lastWasSilent = current.map { silences(of: $0) > 0 } ?? false
        if lastWasSilent, isSilent != otherIsSilent { return !isSilent }
        let (place, otherPlace) = (place(of: one), place(of: other))
        if place != otherPlace { return place < otherPlace }
        // In the order of their connections, beginning after the last one of that person, or of those who were asked.
        let last = people[one.user]?.device ?? current.flatMap { people[$0]?.device }
        let (oneIsLater, otherIsLater) = (last.map { one.peer > $0 } ?? true, last.map { other.peer > $0 } ?? true)
        return oneIsLater == otherIsLater ? one.peer < other.peer : oneIsLater
    }

    /// The number of somebody's last turn, as it counts.
    private func place(of candidate: Candidate) -> Int {
        let silences = silences(of: candidate.user)
        let penalty = silences == 0 ? 0 : min(Self.maximumPenalty, 1 << min(silences, 10))
        return (people[candidate.user]?.turn ?? 0) + penalty - (candidate.isAwaited ? Self.lead : 0)
    }
}
