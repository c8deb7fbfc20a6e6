import OperationLog
import Time

extension Replicator {
    /// One lane of a conversation with one peer.
    struct PeerLane: Sendable {
        /// A question for what this node lacks.
        struct Question: Sendable {
            /// The digest of what was held here when the peer became the one who is asked.
            private(set) var held: FrontierDigest?
            /// Whether more was lacking than a message may ask for.
            var lacksMore = false
            /// The last device of the part of this node's chains that was sent: the rest follows when that part is answered.
            var continuesAfter: DeviceID?
            /// How many answers in a row brought nothing: the difference is one that comparing does not end.
            private(set) var emptyReplies = 0
            /// Until when it is left alone after them.
            private(set) var restsUntil: Instant?

            /// When it was asked what it has not answered.
            var since: Instant?

            /// Notes that it is asked.
            mutating func begin(holding digest: FrontierDigest?, at now: Instant) {
                held = digest
                since = now
                lacksMore = false
                continuesAfter = nil
            }

            /// Notes that an answer brought nothing, or did not come.
            mutating func noteEmptyReply(at now: Instant) {
                emptyReplies += 1
                restsUntil = now + Replicator.backoff.rest(after: emptyReplies)
            }

            /// Notes that the peer brought something, or says something new.
            mutating func forgetEmptyReplies() { (emptyReplies, restsUntil) = (0, nil) }
        }

        /// What the peer holds, by what it said last and what was pushed since.
        var holds = Holding.unknown
        /// What the peer was told that is held here, likewise.
        var told = Holding.unknown
        /// The digest of what is held here that it was told last, in so many words.
        var said: FrontierDigest?
        /// When it last pushed something.
        var pushedAt: Instant?
        /// When to tell it what is held here, because an author did not reach it.
        var tellAt: Instant?
        /// Whether the peer has something that is missing here, whatever it says: a batch of its could not be taken.
        var mustCompare = false
        /// Since when a batch waits here that the peer pushed: it holds what that lacks.
        private(set) var waitsSince: Instant?
        /// Whether it named what is not here before its turn had come.
        var hasNamedMore = false
        /// What the peer last said while it was not served: it counts once they come in again, and they will not repeat it.
        var saidWhileAway: LaneDigest?
        var compareAt: Instant?
        /// What it was asked last, and what came of it.
        var question = Question()
        /// Whether the peer was asked for it, on this connection: else what it sends as an answer is none.
        var wasAsked = false
        /// Whether an answer of the peer did not fit what is held: numbers alone do not tell where a chain was forked, ids do.
        var suspectsFork = false
        /// Our own digest when a former member was last told why they are out.
        var toldWhyOut: FrontierDigest?

        /// Whether it is to be compared with even if it says that it holds what is held here.
        var isDoubtful: Bool { mustCompare || waitsSince != nil || hasNamedMore }

        /// Notes that there is no reason any more to compare with it whatever it says.
        mutating func forgetDoubts() { (mustCompare, waitsSince, hasNamedMore) = (false, nil, false) }

        /// Notes that a batch of its waits here: that is something new, whatever it answered before.
        mutating func beginWaiting(at now: Instant) {
            waitsSince = waitsSince ?? now
            question.forgetEmptyReplies()
        }

        /// Notes that nothing of its waits any more.
        mutating func endWaiting() { waitsSince = nil }

        /// Notes that it has sent all it holds. If that was not enough for what waits, its next push says so again.
        ///
        /// An answer that brings nothing to a question asked soon after its last push may have left out what was on its way then: it is asked again.
        mutating func endWaiting(after pull: Pull) {
            if let pushedAt, !pull.hasBrought, pull.since - pushedAt < PushedLately.duration { return }
            endWaiting()
        }

        /// When something is to be done.
        var next: Instant? {
            guard let compareAt, let tellAt else { return compareAt ?? tellAt }
            return min(compareAt, tellAt)
        }

        /// Notes that this node went from holding `before` to holding `mine`, and whether the peer was sent what it gained.
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

        /// Whether the peer holds what is held here and knows that, so that nothing is to be noted once both have more.
        var isSettled: Bool { holds == .ours && told == .ours && compareAt == nil && !isDoubtful }
    }
}
