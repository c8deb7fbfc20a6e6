import OperationLog
import Time

extension Replicator {
    /// One lane of a conversation with one peer.
    ///
    /// ``State`` says what is to be done about it, and what leads from one state to another. Protocol.md has the same
    /// table under "Making lanes equal". That a peer is asked is a state of the lane, for nobody else is asked
    /// meanwhile: see ``LaneState/State``.
    struct PeerLane: Sendable {
        /// What is to be done.
        enum State: Sendable {
            /// Nothing was said that counts. Next: ``equal`` or ``different`` with its next status.
            case unheard
            /// The peer holds what is held here. Next: ``different`` with another status of its, or a ``Doubts``.
            case equal
            /// It holds something else, or may. It is asked in its turn, once a grace and its rest are over. Next:
            /// ``equal`` with a status that says so or an answer that is whole; ``unheard`` where it is served no
            /// longer.
            case different
        }

        /// Why a peer is asked whatever it says that it holds.
        struct Doubts: Sendable {
            /// Whether it has something that is missing here: a batch of its could not be taken.
            var mustCompare = false
            /// Since when a batch waits here that it pushed: it holds what that lacks.
            var waitsSince: Instant?
            /// Whether it named what is not here before its turn had come.
            var hasNamedMore = false

            /// Whether there is no reason.
            var isEmpty: Bool { !mustCompare && waitsSince == nil && !hasNamedMore }
        }

        /// A question for what this node lacks.
        struct Question: Sendable {
            /// The digest of what was held here when the peer became the one who is asked.
            private(set) var held: FrontierDigest?
            /// Whether more was lacking than a message may ask for.
            var lacksMore = false
            /// The last device of the part of this node's chains that was sent: the rest follows when that part is
            /// answered.
            var continuesAfter: DeviceID?
            /// When it was asked what it has not answered.
            var since: Instant?
            /// Whether it was asked anything on this connection: else what it sends as an answer is none.
            var wasAsked = false
            /// Whether an answer did not fit what is held: numbers alone do not tell where a chain was forked, ids do.
            var suspectsFork = false
            /// How many answers in a row brought nothing: the difference is one that comparing does not end.
            private var emptyReplies = 0
            /// Until when it is left alone after them.
            private(set) var restsUntil: Instant?

            /// Notes that it is asked.
            mutating func begin(holding digest: FrontierDigest?, at now: Instant) {
                (held, since, lacksMore, continuesAfter, wasAsked) = (digest, now, false, nil, true)
            }

            /// Notes that an answer brought nothing, or did not come.
            mutating func noteEmptyReply(at now: Instant) {
                emptyReplies += 1
                restsUntil = now + Replicator.backoff.rest(after: emptyReplies)
            }

            /// Notes that the peer brought something, or says something new.
            mutating func forgetEmptyReplies() { (emptyReplies, restsUntil) = (0, nil) }
        }

        /// What passes between this node and a peer that it does not serve.
        struct Outside: Sendable {
            /// What the peer last said: it counts once they come in again, and they will not repeat it.
            var said: LaneDigest?
            /// What was held here when a former member was last told why they are out.
            var toldWhy: FrontierDigest?
        }

        /// What the peer holds, by what it said last and what was pushed since.
        var holds = Holding.unknown
        /// What the peer was told that is held here, likewise.
        var told = Holding.unknown
        /// The digest of what is held here that it was told last, in so many words.
        var said: FrontierDigest?
        /// Why it is asked whatever it says.
        var doubts = Doubts()
        /// What it was asked last, and what came of it.
        var question = Question()
        /// What counts while it is not served.
        var outside = Outside()
        /// When it last pushed something.
        var pushedAt: Instant?
        /// When to ask it.
        var compareAt: Instant?
        /// When to tell it what is held here, because an author did not reach it.
        var tellAt: Instant?

        /// What is to be done.
        var state: State {
            switch holds {
            case _ where !doubts.isEmpty: .different
            case .unknown: .unheard
            case .ours: .equal
            case .other: .different
            }
        }

        /// Whether the peer holds what is held here and knows that, so that nothing is to be noted once both have more.
        var isSettled: Bool { state == .equal && told == .ours && compareAt == nil }

        /// When something is to be done.
        var next: Instant? {
            guard let compareAt, let tellAt else { return compareAt ?? tellAt }
            return min(compareAt, tellAt)
        }

        /// Notes that the peer holds exactly what is held here.
        mutating func becomeEqual() {
            (holds, doubts, compareAt, tellAt, question.suspectsFork) = (.ours, Doubts(), nil, nil, false)
        }

        /// Notes that it, or this node, is served no longer: such replicas stay different.
        mutating func becomeUnheard() { (holds, told, doubts) = (.unknown, .unknown, Doubts()) }

        /// Notes that a batch of its waits here: that is something new, whatever it answered before.
        mutating func beginWaiting(at now: Instant) {
            doubts.waitsSince = doubts.waitsSince ?? now
            question.forgetEmptyReplies()
        }

        /// Notes that it has sent all it holds. If that was not enough for what waits, its next push says so again.
        ///
        /// An answer that brings nothing to a question asked soon after its last push may have left out what was on its
        /// way then: it is asked again.
        mutating func endWaiting(after pull: Pull) {
            if let pushedAt, !pull.hasBrought, pull.since - pushedAt < PushedLately.duration { return }
            doubts.waitsSince = nil
        }

        /// Notes that this node went from holding `before` to holding `mine`, and whether the peer was sent what it
        /// gained.
        mutating func moveAlong(
            isSent: Bool, from before: FrontierDigest, to mine: FrontierDigest, transcript: [UInt8]
        ) {
            if !isSent {
                holds = holds.left(at: before, transcript: transcript)
                told = told.left(at: before, transcript: transcript)
            }
            holds = holds.met(by: mine, transcript: transcript)
            told = told.met(by: mine, transcript: transcript)
        }
    }
}
