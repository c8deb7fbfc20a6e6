import OperationLog
import Replication
import Time

/// What this node and its peers ask each other about how they reach one another.
///
/// Whoever asks is dialed back, at the address of their own connection and nowhere else, so that nobody can have others
/// scanned. Of one device one dial begins in ``interval``, and of all together a few at a time; a question in between
/// gets what the last dial told.
struct ReachabilityExchange {
    /// A question of a peer.
    struct Question: Hashable, Sendable {
        /// Who asked.
        let peer: PeerHandle
        /// By which number they know the answer.
        let number: UInt64
    }

    /// What to do about a question.
    enum Decision: Hashable, Sendable {
        /// Dial the place; the question waits for ``end(_:failure:)``.
        case dial
        /// Wait: a dial is under way.
        case wait
        /// Answer at once.
        case answer(ReachabilityReport.DialBack)
    }

    /// How long what a dial told counts, and no other begins.
    static let interval = Duration.seconds(5)
    /// Questions that wait for one dial, at most.
    static let maximumWaiting = 16
    /// Answers that this node waits for, at most.
    static let maximumAsked = 64

    private struct Dial {
        let place: Endpoint
        let began: Instant
        /// Nil while it is under way.
        var outcome: ReachabilityReport.DialBack?
        var waiting: [Question] = []
    }

    /// The version of the program, as it is told peers.
    var program = ""
    private var dials: [DeviceID: Dial] = [:]
    private var budget = TokenBucket(burst: 16, interval: .seconds(1))
    /// Whom this node asked, by the number of the question.
    private var asked: [UInt64: PeerHandle] = [:]
    private var lastNumber: UInt64 = 0

    // MARK: - Answering

    /// Takes in a question of a device that can be dialed at a place, as far as it says.
    ///
    /// - Complexity: O(dials of the last few seconds), which the budget bounds.
    mutating func decide(_ question: Question, by device: DeviceID, at place: Endpoint, now: Instant) -> Decision {
        if let last = dials[device], last.outcome == nil || now - last.began < Self.interval {
            guard last.place == place else { return .answer(.notTried) }
            if let outcome = last.outcome { return .answer(outcome) }
            guard last.waiting.count < Self.maximumWaiting else { return .answer(.notTried) }
            dials[device]?.waiting.append(question)
            return .wait
        }
        guard budget.take(at: now) else { return .answer(.notTried) }
        dials = dials.filter { $0.value.outcome == nil || now - $0.value.began < Self.interval }
        dials[device] = Dial(place: place, began: now, waiting: [question])
        return .dial
    }

    /// Takes in what came of a dial; nil for somebody who accepted.
    ///
    /// - Returns: the questions that waited for it, with the answer.
    mutating func end(
        _ device: DeviceID, failure: String?
    ) -> (questions: [Question], outcome: ReachabilityReport.DialBack) {
        let outcome = failure.map { ReachabilityReport.DialBack.failed($0) } ?? .accepted
        let questions = dials[device]?.waiting ?? []
        dials[device]?.outcome = outcome
        dials[device]?.waiting = []
        return (questions, outcome)
    }

    // MARK: - Asking

    /// Notes that a peer is asked.
    ///
    /// - Returns: the number of the question; nil while too many are open.
    mutating func ask(_ peer: PeerHandle) -> UInt64? {
        guard asked.count < Self.maximumAsked else { return nil }
        lastNumber += 1
        asked[lastNumber] = peer
        return lastNumber
    }

    /// Notes that a question is over.
    ///
    /// - Returns: whether this peer was asked it, and had not answered.
    mutating func close(_ question: UInt64, by peer: PeerHandle) -> Bool {
        guard asked[question] == peer else { return false }
        asked[question] = nil
        return true
    }

    /// Notes that a peer went.
    ///
    /// - Returns: the questions that it did not answer.
    mutating func lose(_ peer: PeerHandle) -> [UInt64] {
        let open = asked.filter { $0.value == peer }.keys.sorted()
        for question in open { asked[question] = nil }
        return open
    }

    /// Notes that nobody waits for an answer any more.
    mutating func giveUp(_ question: UInt64) { asked[question] = nil }
}
