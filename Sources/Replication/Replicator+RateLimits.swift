import OperationLog
import Time

/// What a peer may ask of this node in a while, whoever they are: it costs them a few bytes, and this node a look at the disk, a signature to
/// verify or an answer.
struct PeerTokenBuckets: Sendable {
    /// Introductions: each may cost ten signature checks, a commit, and a word to everybody else.
    var hellos = TokenBucket(burst: 8, interval: .seconds(2))
    /// Places where others may be.
    var addresses = TokenBucket(burst: 512, interval: .milliseconds(250))
    /// Questions about photos and files: no honest node asks more than 64 in a second.
    var blobs = TokenBucket(burst: 512, interval: .milliseconds(12))
    /// Questions for cards, each answered with up to 512 KiB; no honest node asks more often than every 3 s.
    var cardQuestions = TokenBucket(burst: 4, interval: .seconds(2))
    /// Cards of others, each of which costs two signature checks.
    var cards = TokenBucket(burst: 1_024, interval: .milliseconds(10))
    /// Questions for bodies, each answered with up to 512 KiB.
    var bodies = TokenBucket(burst: 64, interval: .milliseconds(20))
    /// What another device of the user says.
    var own = OwnDeviceTokenBuckets()
    /// Questions about lanes.
    var lanes = LaneTokenBuckets()
    /// Signs of life, which honest nodes ask for once in a second.
    var pings = TokenBucket(burst: 32, interval: .milliseconds(100))
    /// Words that somebody is gone, each of which may cost a ping.
    var unreachable = TokenBucket(burst: 32, interval: .seconds(1))
    /// Questions about reaching whoever asks, each of which may cost a dial. People ask them, or a program that looks for a fault.
    var reachability = TokenBucket(burst: 16, interval: .seconds(2))
    /// Receipts, each of which costs a signature check; what two nodes hold of each other's users is little.
    var receipts = TokenBucket(burst: 4_096, interval: .milliseconds(10))
    /// What is said and asked of receipts, each of which costs a look at those of two users.
    var receiptQuestions = TokenBucket(burst: 1 << 14, interval: .milliseconds(10))
    /// Tombstones, each of which may cost a signature check and a commit; of one user there are at most 256.
    var tombstones = TokenBucket(burst: 1 << 14, interval: .milliseconds(10))
    /// Proofs of invites, each of which costs a signature check.
    var proofs = TokenBucket(burst: Replicator.maximumProofs, interval: Replicator.proofInterval)
}

/// What a peer may ask about lanes in a while.
struct LaneTokenBuckets: Sendable {
    /// When two nodes meet there may be some questions for each conversation they share.
    var questions = TokenBucket(burst: 1 << 15, interval: .milliseconds(5))
    /// Those of somebody outside, and their chains, each of which costs a look at all that was decided.
    var ofOutsiders = TokenBucket(burst: 512, interval: .milliseconds(100))
}

/// What another device of this node's user may ask and say in a while: it may lie as well.
struct OwnDeviceTokenBuckets: Sendable {
    /// What it says of conversations: questions for keys and their answers, how far the user has read, that they look at one, and for how long
    /// to keep it. When it comes it may say each of these of each conversation.
    var words = TokenBucket(burst: 1 << 13, interval: .milliseconds(20))
    /// Digests of private state: said when two devices meet, and after changes.
    var digests = TokenBucket(burst: 64, interval: .milliseconds(500))
    /// Summaries of private state, each answered with up to 1 MiB.
    var summaries = TokenBucket(burst: 8, interval: .seconds(2))
    /// Parts of what is held of it, each answered with up to 1 MiB.
    var versions = TokenBucket(burst: 64, interval: .seconds(1))
    /// States, each of which may cost a look at the disk; a device that comes may bring one for each conversation.
    var states = TokenBucket(burst: 1 << 14, interval: .milliseconds(10))
    /// Messages of them, each of which may cost a commit; an answer of 1 MiB takes 16 at most.
    var stateMessages = TokenBucket(burst: 1 << 7, interval: .milliseconds(100))
}

extension Replicator {
    /// Whether a message is looked at now; what is not is asked for or said again by any honest node.
    mutating func admits(_ message: PeerMessage, from peer: PeerHandle, at now: Instant) -> Bool {
        switch message {
        case .addresses(let places):
            peers[peer]?.tokenBuckets.addresses.take(max(1, places.count), at: now) ?? false
        case .photoWanted, .blobWanted: peers[peer]?.tokenBuckets.blobs.take(at: now) ?? false
        case .own: peers[peer]?.tokenBuckets.own.words.take(at: now) ?? false
        case .privateState(let word): admits(word, from: peer, at: now)
        case .bodiesWanted: peers[peer]?.tokenBuckets.bodies.take(at: now) ?? false
        case .cardVersions: peers[peer]?.tokenBuckets.cardQuestions.take(at: now) ?? false
        case .cards(let cards): peers[peer]?.tokenBuckets.cards.take(cards.count, at: now) ?? false
        case .receipts(_, let receipts, _): peers[peer]?.tokenBuckets.receipts.take(receipts.count, at: now) ?? false
        case .receiptDigest, .receiptVersions: peers[peer]?.tokenBuckets.receiptQuestions.take(at: now) ?? false
        case .ping: peers[peer]?.tokenBuckets.pings.take(at: now) ?? false
        case .unreachable: peers[peer]?.tokenBuckets.unreachable.take(at: now) ?? false
        case .reachabilityWanted: peers[peer]?.tokenBuckets.reachability.take(at: now) ?? false
        case .tombstones(let all): peers[peer]?.tokenBuckets.tombstones.take(all.count, at: now) ?? false
        case .chainsRequest: peers[peer]?.tokenBuckets.lanes.questions.take(at: now) ?? false
        case .want(let slot, _):
            isOutside(slot.slot, for: peer)
                ? peers[peer]?.tokenBuckets.lanes.ofOutsiders.take(at: now) ?? false
                : peers[peer]?.tokenBuckets.lanes.questions.take(at: now) ?? false
        case .chains(let slot, _, _):
            !isOutside(slot.slot, for: peer) || peers[peer]?.tokenBuckets.lanes.ofOutsiders.take(at: now) ?? false
        case .status(let slot, _), .frontier(let slot, _, _, _, _):
            admitsStatement(aboutSlot: slot.slot, from: peer, at: now)
        case .statuses(let slot, _, _): admitsStatement(aboutSlot: slot, from: peer, at: now)
        // A hello waits; of proofs the latest count; what is shared or answered has its own measure.
        case .hello, .proof, .tags, .announce, .batch, .done, .credit, .pong, .bodies,
            .typing, .refusal, .blobHeld, .chunksWanted, .chunk,
            .cardDigest, .parting, .reachability:
            true
        }
    }

    /// Whether this node looks now at what a peer says it holds of a conversation. What members say changes only with the conversation. An outsider
    /// may say whatever they like, and is asked about it each time.
    private mutating func admitsStatement(aboutSlot slot: Int, from peer: PeerHandle, at now: Instant) -> Bool {
        guard isOutside(slot, for: peer) else { return true }
        return peers[peer]?.tokenBuckets.lanes.questions.take(at: now) ?? false
    }

    /// Whether a peer is in the conversation of which it speaks no longer, or not yet.
    private func isOutside(_ slot: Int, for peer: PeerHandle) -> Bool {
        peers[peer]?.shared.bySlot[slot].map { isOutside(LaneID(conversation: $0, lane: .membership), for: peer) }
            ?? false
    }

    /// Takes in what a peer says of itself; above the budget the newest of it waits.
    mutating func hear(
        _ introduction: [UInt8], port: UInt16, from peer: PeerHandle, at now: Instant, into effects: inout [Effect]
    ) {
        guard peers[peer]?.tokenBuckets.hellos.take(at: now) == true else {
            peers[peer]?.waitingHello = (introduction, port)
            if let next = peers[peer]?.tokenBuckets.hellos.next { plan(next, for: peer) }
            return
        }
        peers[peer]?.waitingHello = nil
        effects.append(.introduce(peer, introduction, port: port))
    }

    /// Takes in what waited, if it is time.
    mutating func hearWaitingHello(from peer: PeerHandle, at now: Instant, into effects: inout [Effect]) {
        guard let (introduction, port) = peers[peer]?.waitingHello else { return }
        hear(introduction, port: port, from: peer, at: now, into: &effects)
    }
}
