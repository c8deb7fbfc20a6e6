import OperationLog
import Time

/// Whom a lane is asked of, for how long, and who is next.
extension Replicator {
    /// Since when a batch that a peer pushed waits here for operations of a lane: content may wait for either lane.
    func waitsSince(_ peer: PeerHandle, in id: LaneID) -> Instant? {
        let content = LaneID(conversation: id.conversation, lane: .content)
        return peers[peer]?.lanes[id]?.doubts.waitsSince ?? peers[peer]?.lanes[content]?.doubts.waitsSince
    }

    private func candidate(_ peer: PeerHandle, for id: LaneID) -> Turns.Candidate? {
        guard let user = peers[peer]?.identity.device.user else { return nil }
        return Turns.Candidate(peer: peer, user: user, isAwaited: waitsSince(peer, in: id) != nil)
    }

    /// The peers that are to be asked for a lane, as far as is known here, but for those of one person.
    private func candidates(for id: LaneID, butFor user: UserID) -> some Sequence<Turns.Candidate> {
        peers.handles.lazy.compactMap { peer in
            guard serves(id, to: peer), peers[peer]?.lanes[id]?.state == .different,
                let candidate = candidate(peer, for: id), candidate.user != user
            else { return nil }
            return candidate
        }
    }

    /// Whether anybody else holds, or may hold, something else of a lane.
    func isLacking(_ id: LaneID, butFor user: UserID) -> Bool {
        candidates(for: id, butFor: user).contains { _ in true }
    }

    /// Orders peers that are due by their turns.
    func inTurn(_ due: [PeerHandle], for id: LaneID) -> [PeerHandle] {
        let turns = lanes[id]?.turns ?? Turns()
        return due.compactMap { candidate($0, for: id) }.sorted(by: turns.isBefore).map(\.peer)
    }

    /// Until when a peer is not asked for a lane, because the last answers brought nothing while messages are coming;
    /// nil if it may be asked now. The pause ends earlier for a peer whose pushed batch waits.
    func endOfPause(of id: LaneID, for peer: PeerHandle) -> Instant? {
        guard isInFlow(id, with: peer), var end = lanes[id]?.turns.pausesUntil else { return nil }
        if let since = waitsSince(peer, in: id) { end = min(end, since + answerTimeout(of: peer, in: id)) }
        return end > now ? end : nil
    }

    /// How long nothing may come of a peer while others are to be asked: three round trips, or as long as three of the
    /// last answer, at most ``Pull/turnBeforePushes``. So hosts that have more to do than they can are not asked ever
    /// more.
    private func answerTimeout(of peer: PeerHandle, in id: LaneID) -> Duration {
        let (roundTrip, answer) = (peers[peer]?.liveness.roundTrip ?? .zero, lanes[id]?.turns.answerTime ?? .zero)
        return max(Pull.leastTurn, roundTrip * 3, min(answer * 3, Pull.turnBeforePushes))
    }

    /// When others are asked instead of a source, unless it brings something until then.
    ///
    /// While nobody else is to be asked, a source may bring nothing for ``Pull/progressTimeout``. Otherwise it may do
    /// so as long as ``answerTimeout(of:in:)`` says, doubled for each turn in a row in which none of them answered, and
    /// it has until ``Pull/end`` in all. While another person's pushed batch waits, it has ``Pull/endBeforePushes``.
    func endOfTurn(of pull: Pull, for id: LaneID) -> Instant {
        let others = Array(candidates(for: id, butFor: pull.user))
        guard !others.isEmpty, let turns = lanes[id]?.turns else { return pull.progress + Pull.progressTimeout }
        let silences = others.map { turns.silences(of: $0.user) }.reduce(turns.silences(of: pull.user), min)
        let answer = answerTimeout(of: pull.peer, in: id)
        let silent = pull.progress + Backoff(from: answer, to: Pull.progressTimeout).rest(after: silences + 1)
        var end = min(silent, pull.end)
        if others.contains(where: \.isAwaited) { end = min(end, max(pull.endBeforePushes, pull.since + answer)) }
        return end
    }

    /// Lets others answer where the turn of the peer that is asked is over.
    mutating func replaceSource(of id: LaneID, into effects: inout [Effect]) {
        guard let pull = lanes[id]?.pull, endOfTurn(of: pull, for: id) <= now else { return }
        if !pull.hasBrought || now - pull.progress >= Pull.progressTimeout {
            peers[pull.peer]?.lanes[id]?.question.noteEmptyReply(at: now)
            effects.append(.stalled(pull.peer, id.conversation, id.lane))
        }
        if !pull.hasBrought { lanes[id]?.turns.leaveUnanswered() }
        leave(pull.peer, asSourceOf: id, into: &effects)
    }
}
