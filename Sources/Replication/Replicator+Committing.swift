import Cryptography
import OperationLog
import Time

/// What peers are sent and told of operations that are durable now.
///
/// One hop: an author pushes to everybody they are connected to, and says whom they reach. Whoever receives that says
/// nothing, but to those whom the author does not reach. What came otherwise is told everybody. A ``Sampling`` makes up
/// for the rest.
extension Replicator {
    /// How many turns those at least have who tell a peer of what its author did not send it: so mostly few of them
    /// tell it, and not all.
    static let leastRelayTurns = 8
    /// How many connections make a node wait once more before it tells all what is held here.
    static let peersPerAdvertInterval = 16
    /// How many have one turn, in a crowd.
    static let relaysPerTurn = 4
    /// How long after a push its author's end is a reason to ask others about it: so long a message may be on its way
    /// to somebody.
    static let pushMemory: Duration = .seconds(3)

    mutating func committed(_ id: LaneID, _ frontier: Frontier, _ origin: CommitOrigin, into effects: inout [Effect]) {
        let held = lanes[id]?.frontier ?? Frontier()
        let before = hold(frontier, of: id)
        lanes[id]?.past.insert(before, at: now)
        var parts = PushedParts(of: origin.push)
        // Also who is connected and outside the conversation is not reached.
        var isEverywhere = origin.unreached != nil
        for peer in peers.handles {
            let isSent = push(&parts, of: id, to: peer, from: origin, into: &effects)
            if !isSent, serves(id, to: peer) { isEverywhere = false }
            // Nearly all of them, each time.
            if isSent, id.lane == .content, peers[peer]?.lanes[id]?.isSettled == true { continue }
            moveAlong(id, peer, isSent: isSent && id.lane == .content, from: before)
            if peers[peer]?.lanes[id]?.holds == .ours { noteEqual(id, peer, into: &effects) }
            arm(id, peer, after: Self.grace * 20)
        }
        lanes[id]?.pushed.note(isEverywhere, after: held, at: now)
        for peer in (origin.unreached ?? []).sorted() { planRelay(of: id, to: peer) }
        if id.lane == .content { plan(sampling.change(id.conversation, at: now)) }
        if !(origin.push.map { _ in parts.areAll } ?? (origin.unreached != nil && id.lane == .content)) {
            planAdvert(of: id)
        }
    }

    /// Takes in what is held of a lane now.
    ///
    /// - Returns: what was held before.
    mutating func hold(_ frontier: Frontier, of id: LaneID) -> FrontierDigest {
        let before = lanes[id, default: LaneState()].digest
        lanes[id, default: LaneState()].frontier = frontier
        lanes[id]?.digest = frontier.digest
        return before
    }

    /// Sends a peer what was written here.
    ///
    /// - Returns: whether the peer has all of it then, or was sent it by its author.
    private func push(
        _ parts: inout PushedParts, of id: LaneID, to peer: PeerHandle, from origin: CommitOrigin,
        into effects: inout [Effect]
    ) -> Bool {
        guard let push = origin.push else { return origin.unreached.map { !$0.contains(peer) } ?? false }
        guard let slot = slot(id, for: peer), serves(id, to: peer), let state = peers[peer], !state.isCongested else {
            return false
        }
        for bytes in parts.parts(for: state.identity.device.id) {
            send(.lane(slot, .batch(isAnswer: false, reached: push.reached, bytes)), to: peer, into: &effects)
        }
        return parts.areAll
    }

    /// Notes what a peer holds, and knows of what is held here, after that has grown.
    mutating func moveAlong(_ id: LaneID, _ peer: PeerHandle, isSent: Bool, from before: FrontierDigest) {
        guard let mine = lanes[id]?.digest, let transcript = peers[peer]?.transcript else { return }
        peers[peer]?.lanes[id]?.moveAlong(isSent: isSent, from: before, to: mine, transcript: transcript)
    }

    /// Plans to tell everybody what is held here: soon, but only now and then while more of it is coming.
    mutating func planAdvert(of id: LaneID) {
        let isComing = id.lane == .content && lanes[id]?.source != nil
        // What all tell all costs each as much as there are: in a crowd it is told more rarely.
        let interval = Self.advertInterval * max(1, peers.count / Self.peersPerAdvertInterval)
        let moment = now + (isComing ? Self.advertInterval * 20 : interval)
        let due = min(lanes[id]?.advertAt ?? moment, moment)
        lanes[id]?.advertAt = due
        plan(due)
    }

    // MARK: - Those whom an author did not reach

    /// Plans to tell a peer what is held here, in the turn that this node has: each has another for each operation.
    private mutating func planRelay(of id: LaneID, to peer: PeerHandle) {
        guard slot(id, for: peer) != nil, serves(id, to: peer), let digest = lanes[id]?.digest,
            let reader = peers[peer]?.identity.device.id
        else { return }
        var hash = Blake2b(byteCount: FrontierDigest.byteCount)
        hash.update(digest.bytes + reader.digest.bytes + device.id.digest.bytes)
        let bytes = hash.finalize()
        let turns = max(Self.leastRelayTurns, peers.count / Self.relaysPerTurn)
        let turn = (Int(bytes[0]) << 8 | Int(bytes[1])) % turns
        let moment = now + Self.advertInterval * turn
        let due = min(peers[peer]?.lanes[id]?.tellAt ?? moment, moment)
        peers[peer]?.lanes[id, default: PeerLane()].tellAt = due
        plan(due, for: peer)
    }

    /// Tells a peer what is held of the lanes whose turn has come.
    mutating func relay(to peer: PeerHandle, into effects: inout [Effect]) {
        let lanes = peers[peer]?.lanes ?? [:]
        for id in lanes.lazy.filter({ [now] in $0.value.tellAt.map { $0 <= now } ?? false }).map(\.key).sorted() {
            peers[peer]?.lanes[id]?.tellAt = nil
            status(id, to: peer, into: &effects)
        }
    }

    // MARK: - Samples

    /// Tells a sample of peers what is held of the conversations where that is due.
    mutating func sample(into effects: inout [Effect]) {
        for conversation in sampling.due(at: now) {
            guard conversations[conversation] != nil else {
                sampling.forget(conversation)
                continue
            }
            let content = LaneID(conversation: conversation, lane: .content)
            let candidates = peers.filter { peer, state in
                !state.isCongested && slot(content, for: peer) != nil && serves(content, to: peer)
            }.map { (peer: $0.key, device: $0.value.identity.device.id) }
            let chosen = sampling.choose(among: candidates, of: conversation, at: now)
            // The membership lane is advertised to everybody: of that once is enough.
            if let first = chosen.first { statuses(of: conversation, to: first, into: &effects) }
            for peer in chosen.dropFirst() { status(content, to: peer, into: &effects) }
        }
        if let next = sampling.next { plan(next) }
    }

    /// Whoever pushed something a moment ago and is gone may not have sent it to everybody: that is asked for at once.
    mutating func sample(afterEndOf gone: Peer) {
        let hasPushed = { [now] (lane: PeerLane) in lane.pushedAt.map { now - $0 <= Self.pushMemory } ?? false }
        // In one order: each draws a moment by chance.
        for id in gone.lanes.lazy.filter({ hasPushed($0.value) }).map(\.key).sorted() {
            lanes[id]?.pushed.forget()
            guard peers.contains(where: { $0.value.shared.theirSlots.contains(id.conversation) }) else { continue }
            plan(sampling.change(id.conversation, at: now, within: Self.advertInterval * 2))
        }
    }
}
