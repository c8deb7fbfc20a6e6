import OperationLog
import Time

extension Replicator {
    /// One lane of a conversation, as all peers together concern it.
    struct LaneState: Sendable {
        /// Who is asked for it. One peer at a time, so that hardly anything is fetched twice.
        enum State: Sendable {
            /// Nobody. Next: ``asked``, of the peer whose turn it is or who names what is not here.
            case free
            /// The peer of ``pull``. Next: ``free`` with its `done`, the end of its turn or of its connection;
            /// ``resting`` where the lane takes no more.
            case asked
            /// Nobody, because it takes no more now. Next: ``free`` when that is over, or there is room.
            case resting
        }

        /// That it takes no more for a while.
        private struct Rest: Sendable {
            /// How many times in a row it took no more.
            var refusals = 0
            var until: Instant?
        }

        var frontier = Frontier()
        var digest = Frontier().digest
        /// What was held a moment ago.
        var past = RecentDigests()
        /// What of it is on its way to others.
        var pushed = PushedLately()
        /// Who is asked next.
        var turns = Turns()
        /// Who is asked for it now.
        var pull: Pull?
        /// Since when it is asked for, of one source after the other.
        var askedSince: Instant?
        var advertAt: Instant?
        private var rest = Rest()

        /// Who is asked for it.
        func state(at now: Instant) -> State {
            if pull != nil { return .asked }
            return rest.until.map { $0 > now } ?? false ? .resting : .free
        }

        /// The peer who is asked for it now.
        var source: PeerHandle? { pull?.peer }

        /// Until when nobody is asked for it, or was; nil if that is over for good.
        var restsUntil: Instant? { rest.until }

        /// Begins to ask a peer.
        mutating func begin(_ pull: Pull) {
            self.pull = pull
            askedSince = askedSince ?? pull.since
        }

        /// Notes that the source brought what was lacking.
        mutating func bring(_ bytes: Int, at now: Instant) {
            pull?.bring(bytes, at: now)
            turns.noteAnswer()
            rest.refusals = 0
        }

        /// Asks nobody because it had no room, each time for longer.
        mutating func refuse(at now: Instant) {
            rest.refusals += 1
            rest.until = now + Replicator.backoff.rest(after: rest.refusals)
        }

        /// Asks nobody until then.
        mutating func rest(until end: Instant) { rest.until = end }

        /// Notes that it may have room.
        mutating func endRest() { rest = Rest() }
    }
}
