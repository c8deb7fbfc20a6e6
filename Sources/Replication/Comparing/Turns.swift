import OperationLog
import Time

/// Whom a node asks next for what it lacks of a lane.
///
/// Turns belong to people, however many devices they have. They are ordered by three questions: who left fewer questions in a row unanswered, whose
/// pushed batch waits here, and who had a turn longest ago. A peer that names something missing is asked at once, out of turn. While others are to be
/// asked as well, neither the person of the last turn nor one who left the last question unanswered is asked out of turn, and anybody else only once
/// until the next turn. So nobody keeps others from being asked, whatever they say they hold. While messages are coming, each answer that brought nothing makes the next question wait longer.
struct Turns: Sendable {
    /// How long the next question waits at most.
    static let maximumPause = PushedLately.duration
    /// How long it waits after the first answer that brings nothing.
    private static let firstPause = Replicator.grace * 2

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
    ///   - isInFlow: whether what its peer holds may only be on its way: else it is no reason to pause that it brought nothing.
    mutating func end(hasBrought: Bool, isInFlow: Bool, at now: Instant) {
        if hasBrought {
            (vainAnswers, pausesUntil) = (0, nil)
        } else if isInFlow {
            pausesUntil = now + min(Self.maximumPause, Self.firstPause * (1 << min(vainAnswers, 10)))
            vainAnswers += 1
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
        let (mine, theirs) = (people[one.user], people[other.user])
        let (silences, otherSilences) = (mine?.silences ?? 0, theirs?.silences ?? 0)
        if silences != otherSilences { return silences < otherSilences }
        if one.isAwaited != other.isAwaited { return one.isAwaited }
        let (turn, otherTurn) = (mine?.turn ?? 0, theirs?.turn ?? 0)
        if turn != otherTurn { return turn < otherTurn }
        // In the order of their connections, beginning after the last one of that person, or of those who were asked.
        let last = mine?.device ?? current.flatMap { people[$0]?.device }
        let (oneIsLater, otherIsLater) = (last.map { one.peer > $0 } ?? true, last.map { other.peer > $0 } ?? true)
        return oneIsLater == otherIsLater ? one.peer < other.peer : oneIsLater
    }
}
