import OperationLog
import Time

/// Notices who is gone, at a cost that does not grow with the number of members.
///
/// The peers that this node watches (``WatchRing``) are asked after a second and a half of silence, all others after
/// half a minute. Whoever gives up a peer that it watched tells the other members. They ask for themselves: nobody goes
/// offline because somebody else says so.
extension Replicator {
    /// What a node knows of who is there.
    struct Watch: Sendable {
        /// Whether peers or audiences have changed since the successors were computed.
        var isStale = false
        /// Who fell silent lately.
        var suspicions = Suspicions()
        /// When all were asked last.
        var askedAll: Instant?
        /// The number of the last ping.
        var pingNumber: UInt64 = 0
    }

    /// How long changes of peers and audiences are gathered before the successors are computed again.
    private static let ringDelay: Duration = .milliseconds(50)
    /// How often all peers are asked because of what others say.
    private static let askAllInterval: Duration = .seconds(30)

    // MARK: - The ring

    /// Notes that peers or audiences have changed.
    mutating func ringChanged() {
        guard !peers.isEmpty, !watch.isStale else { return }
        watch.isStale = true
        plan(now + Self.ringDelay)
    }

    /// Computes whom this node watches, if that may have changed.
    ///
    /// - Complexity: O(conversations × people who are connected).
    private mutating func updateRing() {
        guard watch.isStale else { return }
        watch.isStale = false
        let devices = peers.reduce(into: [:]) { $0[$1.key] = $1.value.identity.device.id }
        let ring = WatchRing(around: device.id, of: devices)
        let circles = connectedMembers()
        let watched = ring.watched(in: circles)
        var comembers: Set<PeerHandle> = []
        for circle in circles where comembers.count < peers.count { comembers.formUnion(circle) }
        for peer in peers.handles {
            peers[peer]?.liveness.isWatched = watched.contains(peer)
            peers[peer]?.liveness.isComember = comembers.contains(peer)
        }
    }

    /// For each conversation that this node's user is a member of, the connections to the other members.
    private func connectedMembers() -> [[PeerHandle]] {
        let handles = Dictionary(grouping: peers.handles) { peers[$0]?.identity.device.user ?? device.user }
        return conversations.values.compactMap { conversation in
            guard conversation.audience[device.user] == .member else { return nil }
            return handles.flatMap { user, handles in conversation.audience[user] == .member ? handles : [] }
        }
    }

    // MARK: - Time

    /// When somebody is to be asked or given up next.
    var nextLivenessCheck: Instant? { peers.handles.lazy.compactMap { peers[$0]?.liveness.next }.min() }

    /// The peers that should have answered by now. Before the next tick it is to be looked whether their hosts have
    /// acknowledged the question: ``Event/acknowledged(_:)``.
    ///
    /// - Complexity: O(peers).
    public func overduePeers(at now: Instant) -> [PeerHandle] {
        peers.handles.filter { peers[$0]?.liveness.isOverdue(at: now) == true }
    }

    /// Asks peers that have been silent for long, and gives up those that do not answer.
    ///
    /// - Parameter lateness: by how much this node was late to look. Answers may wait unread for as long.
    /// - Complexity: O(peers), and O(conversations × peers) where somebody came, went or is given up.
    mutating func checkLiveness(lateBy lateness: Duration, into effects: inout [Effect]) {
        updateRing()
        var silent: [PeerHandle] = []
        for peer in peers.handles {
            peers[peer]?.liveness.extend(by: lateness, at: now)
            switch peers[peer]?.liveness.step(at: now) {
            case .wait, nil: break
            case .ask(let timeout): ask(peer, timeout: timeout, into: &effects)
            case .giveUp: silent.append(peer)
            }
        }
        for peer in silent { giveUp(peer, into: &effects) }
    }

    /// Asks a peer whether it is there. Where it is asked already it only gets less time: the connection repeats what
    /// is lost.
    private mutating func ask(_ peer: PeerHandle, timeout: Duration, into effects: inout [Effect]) {
        guard let state = peers[peer]?.liveness else { return }
        if state.isAsked {
            peers[peer]?.liveness.shorten(to: now + timeout)
        } else {
            watch.pingNumber += 1
            peers[peer]?.liveness.ask(watch.pingNumber, at: now, timeout: timeout)
            send(.presence(.ping(watch.pingNumber)), to: peer, into: &effects)
        }
        if let deadline = peers[peer]?.liveness.deadline { plan(deadline) }
    }

    /// Asks a peer whose device answers elsewhere. If no answer comes on this connection, something in between swallows
    /// it, or lets through little.
    mutating func demandAnswer(of peer: PeerHandle, into effects: inout [Effect]) {
        guard let state = peers[peer]?.liveness, !state.isGivenUp else { return }
        ask(peer, timeout: PeerLiveness.probeTimeout, into: &effects)
        peers[peer]?.liveness.demandAnswer(until: now + PeerLiveness.answeringTimeout)
    }

    /// Asks everybody from whom nothing came just now: part of the network is gone, or this node is cut off from it.
    private mutating func askAll(into effects: inout [Effect]) {
        watch.askedAll = now
        for peer in peers.handles {
            guard let state = peers[peer]?.liveness, !state.isGivenUp, now - state.heard >= PeerLiveness.freshness
            else { continue }
            ask(peer, timeout: PeerLiveness.probeTimeout, into: &effects)
        }
    }

    private mutating func giveUp(_ peer: PeerHandle, into effects: inout [Effect]) {
        guard let state = peers[peer] else { return }
        peers[peer]?.liveness.giveUp()
        effects.append(.disconnect(peer, reason: "no answer"))
        guard state.liveness.isWatched else { return }
        report(state.identity.device, into: &effects)
        if watch.suspicions.note(state.identity.device.id, by: nil, at: now) { askAll(into: &effects) }
    }

    // MARK: - Telling and hearing

    /// Tells the members of conversations with a device that it is unreachable. Others must not learn that it is in
    /// any.
    private func report(_ silent: Device, into effects: inout [Effect]) {
        // Where it has come back meanwhile, only its old connection is dead.
        guard !peers.contains(where: { $0.value.identity.device.id == silent.id && !$0.value.liveness.isGivenUp })
        else {
            return
        }
        let shared = conversations.values.filter {
            $0.audience[device.user] == .member && $0.audience[silent.user] == .member
        }
        for peer in peers.handles {
            guard let state = peers[peer], !state.liveness.isGivenUp,
                shared.contains(where: { $0.audience[state.identity.device.user] == .member })
            else { continue }
            send(.presence(.unreachable(silent.id)), to: peer, into: &effects)
        }
    }

    /// Takes in that a member has given up another device. It is never passed on, and no reason to give up anybody.
    mutating func hear(unreachable suspect: DeviceID, from peer: PeerHandle, into effects: inout [Effect]) {
        updateRing()
        guard let accuser = peers[peer], accuser.liveness.isComember, accuser.identity.device.id != suspect else {
            return
        }
        let source = accuser.identity.device.id
        var isNews = false
        for other in peers.handles where peers[other]?.identity.device.id == suspect {
            guard peers[other]?.liveness.accuse(by: source, at: now) == true else { continue }
            isNews = true
            ask(other, timeout: PeerLiveness.probeTimeout, into: &effects)
        }
        guard isNews, watch.suspicions.note(suspect, by: source, at: now),
            watch.askedAll.map({ now - $0 >= Self.askAllInterval }) ?? true
        else { return }
        askAll(into: &effects)
    }
}
