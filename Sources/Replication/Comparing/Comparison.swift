import Time

/// What a node knows of whether a peer holds the same of something, on one connection, and when it tells and asks.
///
/// Two nodes tell each other a digest of what they hold, some time after it changed. Where the digests stay different
/// one of them asks, and gets what is newer; and asks again, less and less often, while that makes nothing equal.
/// Cards, receipts and private state are made equal in this way, each with messages of its own: this is when. A lane,
/// of which any number of peers may bring any amount, has ``Turns`` besides.
///
/// - `Held` is what is told, `Heard` what is heard of it.
public struct Comparison<Held: Equatable & Sendable, Heard: Sendable>: Sendable {
    /// How soon and how often.
    public struct Pace: Sendable {
        /// How long what is held must have been settling before the peer is told of it.
        public let tellDelay: Duration
        /// How long the peer is left alone after questions that made nothing equal: it may lie, or not know yet who is
        /// a member.
        public let backoff: Backoff

        /// - Parameters:
        ///   - grace: how long a difference may be only something on its way to either: the peer is left alone for so
        ///     long at first.
        ///   - longestRest: how long at most.
        public init(tellDelay: Duration, grace: Duration, longestRest: Duration) {
            self.tellDelay = tellDelay
            backoff = Backoff(from: grace, to: longestRest)
        }
    }

    private let pace: Pace
    /// What the peer said last that it holds.
    public private(set) var said: Heard?
    /// What it was told last, and when.
    public private(set) var told: (digest: Held, at: Instant)?
    /// When it is told what is held here, unless it knows.
    public private(set) var tellAt: Instant?
    /// When it is asked, unless both hold the same by then.
    public private(set) var askAt: Instant?
    /// When it was last asked.
    public private(set) var askedAt: Instant?
    /// How many questions in a row brought nothing.
    public private(set) var failures = 0

    /// Nothing was said.
    public init(at pace: Pace) { self.pace = pace }

    /// When something is to be done.
    public var next: Instant? { [tellAt, askAt].compactMap { $0 }.min() }

    // MARK: - Telling

    /// Plans to tell the peer what is held, because that has changed.
    ///
    /// - Parameter earliest: not before this moment.
    /// - Returns: when; nil where that was planned before.
    @discardableResult
    public mutating func owe(at now: Instant, notBefore earliest: Instant? = nil) -> Instant? {
        guard tellAt == nil else { return nil }
        let moment = max(now + pace.tellDelay, earliest ?? now)
        tellAt = moment
        return moment
    }

    /// Notes that the peer is told what is held.
    ///
    /// - Returns: false where it was told the same last: then nothing is sent.
    public mutating func tell(_ digest: Held, at now: Instant) -> Bool {
        tellAt = nil
        guard told?.digest != digest else { return false }
        told = (digest, now)
        return true
    }

    /// Gives up telling: there is nothing to tell, or no way.
    public mutating func stopTelling() { tellAt = nil }

    // MARK: - Hearing

    /// Takes in what the peer says it holds.
    public mutating func hear(_ digest: Heard) { said = digest }

    /// Passes over what it said: there is nothing to ask it before it says something else.
    public mutating func forgetSaid() { (said, askAt) = (nil, nil) }

    // MARK: - Asking

    /// Plans to ask the peer, which holds something else.
    ///
    /// - Parameter delay: how long the difference may be something on its way.
    /// - Returns: when; nil where that was planned before.
    @discardableResult
    public mutating func askLater(after delay: Duration, at now: Instant) -> Instant? {
        guard askAt == nil else { return nil }
        let moment = now + max(delay, rest)
        askAt = moment
        return moment
    }

    /// Plans to ask the peer at a moment, whatever was planned.
    public mutating func ask(at moment: Instant) { askAt = moment }

    /// How long the peer is left alone after the last question.
    public var rest: Duration { pace.backoff.rest(after: failures) }

    /// Gives up asking.
    public mutating func stopAsking() { askAt = nil }

    /// Notes that the peer is asked: in vain, until something comes.
    public mutating func noteAsked(at now: Instant) {
        (askAt, askedAt) = (nil, now)
        failures += 1
    }

    /// Notes that both hold the same.
    public mutating func noteEqual() { (askAt, failures) = (nil, 0) }

    /// Notes that something came that was lacking.
    public mutating func noteNews() { failures = 0 }
}
