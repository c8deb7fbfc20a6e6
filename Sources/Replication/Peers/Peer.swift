import Cryptography
import OperationLog
import Time

extension Replicator {
    /// A proof as a peer showed it.
    struct ShownProof: Sendable {
        let tag: ConversationTag
        let invite: OperationID
        let proof: InviteProof
    }

    /// What a peer asked for and has not got, or not taken in.
    struct Answers: Sendable {
        /// Bytes that it was sent and has not taken in.
        var unapplied = 0
        /// Answers that go on once it has taken in enough.
        var waiting: [LaneID] = []
        /// Questions that wait until earlier answers are applied, the latest of each lane: asking is cheap, answering
        /// is not.
        var questions: [LaneID: Known] = [:]
    }

    /// A connected peer.
    struct Peer: Sendable {
        let identity: PeerIdentity
        let transcript: [UInt8]
        let role: HandshakeState.Role
        /// Since when it is connected.
        let since: Instant
        /// What it and this node have shown each other of conversations.
        var shared = SharedConversations()
        var lanes: [LaneID: PeerLane] = [:]
        var liveness: PeerLiveness
        /// What it asked for and has not got.
        var answers = Answers()
        /// Whether so much that is live waits for it that only what cannot wait is added.
        var isCongested = false
        /// For every batch handed over and not yet judged, whether it was an answer.
        var answered: [Bool] = []
        /// What the peer shows to be let in.
        var proofs: [ShownProof] = []
        /// What it may still ask.
        var rates = RateLimits()
        /// What it last said of itself, if there was no room to look at it.
        var waitingHello: (introduction: [UInt8], port: UInt16)?

        /// When something is to be compared or told.
        var next: Instant? {
            [
                lanes.values.lazy.compactMap(\.next).min(),
                waitingHello.flatMap { _ in rates.next(HelloMessage.limit) },
            ].compactMap { $0 }.min()
        }
    }
}
