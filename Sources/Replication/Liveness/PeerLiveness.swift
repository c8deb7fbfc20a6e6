import Cryptography
import OperationLog
import Time

/// What tells whether a peer is still there: when it was last heard, and until when it has to answer.
///
/// A peer is given up for one reason only: it was asked, and did not answer in time. What others say of it decides
/// nothing but when it is asked. One from whom something else comes, or whose host acknowledges that it was asked, may
/// only have much to do: it is asked again, for 15 s, or 6 s where its device has answered elsewhere. Then the answer
/// itself has to be there: something in between may let through little.
///
/// ```
///           silent for long, others miss it,
///           long without an answer, or
///           its device answered elsewhere              nothing came in time
///   heard ──────────────────────────────────► asked ──────────────────────────► given up
///     ▲                                       │ │ ▲
///     └────────────── the answer ─────────────┘ └─┘ something came or its host acknowledges, for a while
/// ```
struct PeerLiveness: Sendable {
    /// What is to be done about a peer.
    enum Step: Hashable, Sendable {
        /// Nothing yet.
        case wait
        /// It is to be asked, and has this long to answer.
        case ask(timeout: Duration)
        /// It was asked and did not answer.
        case giveUp
    }

    /// After how much silence a peer is asked that this node watches.
    static let watchInterval: Duration = .milliseconds(1_500)
    /// How long such a peer has to answer. With the time before it, and ``probeTimeout`` for all others, a peer is
    /// missed by all within 4.75 s.
    ///
    /// No longer than ``watchInterval``: hearing a peer sets no timer, and the one that was set for its answer must not
    /// come too late.
    static let watchTimeout: Duration = .milliseconds(1_500)
    /// After how much silence a peer is asked for the first time, to measure the round trip.
    static let firstInterval: Duration = .seconds(1)
    /// After how much silence any other peer is asked: others watch it. It is a net for a single connection that broke
    /// unseen.
    static let farInterval: Duration = .seconds(30)
    /// How long such a peer has to answer.
    static let farTimeout: Duration = .seconds(3)
    /// How long a peer has to answer that others miss.
    static let probeTimeout: Duration = .milliseconds(1_500)
    /// How long a peer has to answer from whom other things come all this time, or whose host acknowledges that it is
    /// asked. A process that hangs is given up after so long. A dialer asks so long after the last answer whatever
    /// comes.
    static let busyTimeout: Duration = .seconds(15)
    /// The same where its device answered a dial elsewhere: twice as long as that handshake may have taken, in which it
    /// may have had much to do.
    static let answeringTimeout = SecureChannel.handshakeDeadline * 2
    /// Whoever was heard so recently is not asked because others miss them. Whoever misses them has not heard them for
    /// longer.
    static let freshness: Duration = .seconds(1)
    /// How often one peer's word about another makes that one be asked.
    static let accusationInterval: Duration = .seconds(30)
    /// How late a timer may come without a reason to think that answers wait unread.
    private static let tolerance: Duration = .milliseconds(100)
    /// How long it takes at most to read the answers that wait.
    private static let maximumGrace: Duration = .seconds(1)
    /// What is due so soon is done with what is due now: a timer for each of three pings would triple the wake-ups.
    private static let slack: Duration = .milliseconds(100)

    /// What it was asked and has not answered.
    private struct Question: Sendable {
        /// When it was asked first.
        let since: Instant
        /// Until when something has to come, or its host has to acknowledge.
        var deadline: Instant
        /// Until when the answer has to come.
        var finalDeadline: Instant
        /// The ping that has to be answered, or a later one.
        var number: UInt64
        /// Whether it has less time because its device has answered elsewhere.
        var isDemanded = false
        /// Whether something has come since it was asked last, or its host has acknowledged that.
        var isAcknowledged = false
        /// Whether it got more time although its time was over: once each time it is asked, else a node that is always
        /// late would give up nobody.
        var hasGrace = false
    }

    /// When something came last.
    private(set) var heard: Instant
    /// When its last answer came; when it was met, before the first.
    private var answered: Instant
    /// What it was asked and owes an answer to; nil if nothing.
    private var question: Question?
    /// The smoothed round trip.
    private(set) var roundTrip: Duration?
    private(set) var isGivenUp = false
    /// Whether this node watches it.
    var isWatched = false
    /// Whether it is in a conversation with this node.
    var isComember = false
    private var ping: (number: UInt64, at: Instant)?
    /// Who said that it is unreachable, and when.
    private var accusers: [DeviceID: Instant] = [:]
    private let role: HandshakeState.Role

    /// A peer that was just met.
    init(role: HandshakeState.Role, at now: Instant) {
        self.role = role
        (heard, answered) = (now, now)
    }

    private var isDialer: Bool { role == .initiator }

    /// When it is asked if nothing comes before. What comes saves the question, for a while: an answer to the dialer
    /// has gone both ways.
    private var questionDue: Instant {
        let silent = heard + interval
        return isDialer ? min(silent, answered + max(interval, Self.busyTimeout)) : silent
    }

    /// After how much silence it is asked. Of two who ask each other the one who dialed is first, so the other need
    /// not.
    private var interval: Duration {
        guard isWatched || roundTrip == nil else { return Self.farInterval + (isDialer ? .zero : .seconds(2)) }
        return (roundTrip == nil ? Self.firstInterval : Self.watchInterval) + (isDialer ? .zero : .milliseconds(250))
    }

    /// When something is to be done about it; nil once it is given up.
    var next: Instant? { isGivenUp ? nil : deadline ?? questionDue }

    /// What is to be done about it now.
    func step(at now: Instant) -> Step {
        if isGivenUp { return .wait }
        let ask = Step.ask(timeout: isWatched ? Self.watchTimeout : Self.farTimeout)
        guard let question else { return now + Self.slack >= questionDue ? ask : .wait }
        guard now >= question.deadline else { return .wait }
        let mayBeBusy = question.isAcknowledged && now < question.finalDeadline
        return mayBeBusy ? ask : .giveUp
    }

    /// Until when something has to come; nil if it owes no answer.
    var deadline: Instant? { question?.deadline }

    /// Whether a question is on its way to it, as far as is known here.
    var isAsked: Bool { question?.isAcknowledged == false }

    /// Whether it has owed an answer for so long that others are asked first.
    func isLate(at now: Instant) -> Bool { question.map { now - $0.since >= Self.watchTimeout } ?? false }

    /// Whether it should have answered by now.
    func isOverdue(at now: Instant) -> Bool { !isGivenUp && deadline.map { $0 <= now } ?? false }

    // MARK: - What happens

    /// Notes that something came.
    mutating func hear(at now: Instant) {
        heard = now
        question?.isAcknowledged = true
    }

    /// Notes that it is asked: for the first time, or once more because something came or its host acknowledged that it
    /// was asked.
    mutating func ask(_ number: UInt64, at now: Instant, timeout: Duration) {
        ping = (number, now)
        let final = question?.finalDeadline ?? now + Self.busyTimeout
        question = Question(
            since: question?.since ?? now, deadline: min(now + timeout, final), finalDeadline: final,
            number: question?.number ?? number, isDemanded: question?.isDemanded ?? false)
    }

    /// Allows no more than until a moment for what was asked.
    mutating func shorten(to moment: Instant) {
        guard let deadline else { return }
        question?.deadline = min(deadline, moment)
    }

    /// Allows no more than until a moment for the answer to what it was asked last, whatever else comes; once for each
    /// question.
    mutating func demandAnswer(until moment: Instant) {
        guard let asked = question, !asked.isDemanded else { return }
        question?.finalDeadline = min(asked.finalDeadline, moment)
        question?.number = ping?.number ?? asked.number
        question?.isDemanded = true
    }

    /// Notes that its host has acknowledged that it was asked, so it runs and is connected.
    mutating func acknowledge() { question?.isAcknowledged = true }

    /// Allows longer for what was asked where this node was itself late to look: answers may wait unread.
    mutating func extend(by lateness: Duration, at now: Instant) {
        guard let asked = question, lateness >= Self.tolerance else { return }
        question?.finalDeadline = asked.finalDeadline + lateness
        if asked.deadline > now {
            question?.deadline = asked.deadline + lateness
        } else if !asked.hasGrace {
            question?.deadline = now + min(lateness, Self.maximumGrace)
            question?.isAcknowledged = false
            question?.hasGrace = true
        }
    }

    /// Notes the answer to a ping. Only the newest one tells how long it took.
    mutating func answered(_ number: UInt64, at now: Instant) {
        if let sent = ping, sent.number == number {
            let sample = now - sent.at
            roundTrip = roundTrip.map { $0 * 7 / 8 + sample / 8 } ?? sample
            ping = nil
        }
        guard let asked = question, number >= asked.number else { return }
        (question, answered) = (nil, now)
    }

    /// Notes that it is given up; its connection is about to end.
    mutating func giveUp() { isGivenUp = true }

    /// Notes that another peer misses it.
    ///
    /// - Returns: whether that is a reason to ask: it was not heard just now, and the other has not said so for a
    ///   while.
    mutating func accuse(by accuser: DeviceID, at now: Instant) -> Bool {
        guard !isGivenUp, now - heard >= Self.freshness else { return false }
        accusers = accusers.filter { now - $0.value < Self.accusationInterval }
        guard accusers[accuser] == nil else { return false }
        accusers[accuser] = now
        return true
    }
}
