import Cryptography
import OperationLog
import Time

/// Compares what two replicas hold of a lane: what each says, and what the other makes of it.
extension Replicator {
    // MARK: - Saying

    /// Says what we hold, so that the peer sends what we lack and asks for what it lacks. It waits for its turn while
    /// somebody else is asked.
    ///
    /// - Parameter isOutOfTurn: whether that is because of what it has just said.
    mutating func compare(
        _ id: LaneID, with peer: PeerHandle, isOutOfTurn: Bool = false, into effects: inout [Effect]
    ) {
        guard let slot = slot(id, for: peer) else { return }
        guard serves(id, to: peer) else {
            peers[peer]?.lanes[id]?.doubts = PeerLane.Doubts()
            // Only what makes them one of us is asked of an outsider, and the lane does not wait for it.
            if isOutside(id, for: peer), id.lane == .membership { askForReasons(id, of: peer, slot, into: &effects) }
            return
        }
        let lane = lanes[id] ?? LaneState()
        switch lane.state(at: now) {
        // It is asked already, or has its turn once somebody else has answered. What it lacks it asks for itself.
        case .asked: return
        case .resting: return arm(id, peer, after: .zero)
        case .free: break
        }
        peers[peer]?.lanes[id]?.doubts.mustCompare = false
        take(peer, asSourceOf: id, isOutOfTurn: isOutOfTurn)
        if peers[peer]?.lanes[id]?.question.suspectsFork == true {
            send(.lane(slot, .chainsRequest), to: peer, into: &effects)
        }
        if lane.frontier.hasForks || lane.frontier.tips.count > PeerMessage.maximumChains {
            sendChains(id, slot, isWanted: true, to: peer, into: &effects)
        } else {
            sayNumbers(of: id, slot, to: peer, into: &effects)
        }
    }

    /// Says how long every chain is that we hold, and wants an answer.
    private mutating func sayNumbers(
        of id: LaneID, _ slot: PeerMessage.LaneSlot, to peer: PeerHandle, into effects: inout [Effect]
    ) {
        guard let transcript = peers[peer]?.transcript else { return }
        let lane = lanes[id] ?? LaneState()
        let devices = lane.frontier.devices
        let numbers = LaneMessage.frontier(
            isWanted: true, digest: LaneDigest(of: lane.digest, transcript: transcript),
            chainList: LaneDigest(of: Self.digest(of: devices), transcript: transcript),
            sequenceNumbers: devices.map { lane.frontier.sequenceNumber(of: $0) })
        send(.lane(slot, numbers), to: peer, into: &effects)
    }

    /// Says of a part of all chains what we hold. Where an answer is wanted, the next part follows when this one is
    /// answered.
    mutating func sendChains(
        _ id: LaneID, _ slot: PeerMessage.LaneSlot, after: DeviceID? = nil, isWanted: Bool, to peer: PeerHandle,
        into effects: inout [Effect]
    ) {
        // Also where no answer is wanted: for somebody who has left it is their removal proof.
        peers[peer]?.lanes[id, default: PeerLane()].question.wasAsked = true
        let part = ChainPart(of: lanes[id]?.frontier ?? Frontier(), after: after)
        if isWanted {
            peers[peer]?.lanes[id]?.question.continuesAfter = part.isLast ? nil : part.chains.last?.device
        }
        // One chain of very many branches must not keep what is live waiting.
        let isLong = part.chains.contains { $0.tips.count > PeerMessage.targetTipCount }
        send(
            .lane(slot, .chains(isWanted: isWanted, part)), to: peer, urgency: isLong ? .bulk : .live, into: &effects)
    }

    static func digest(of devices: [DeviceID]) -> FrontierDigest {
        var writer = CanonicalWriter(capacity: devices.count * 32)
        for device in devices { writer.write(device) }
        var hash = Blake2b(byteCount: FrontierDigest.byteCount)
        hash.update(writer.bytes)
        return FrontierDigest(bytes: hash.finalize())
    }

    // MARK: - Hearing

    /// Compares the numbers that a peer names with ours.
    mutating func hear(
        _ numbers: [UInt64], of chainList: LaneDigest, with digest: LaneDigest, isWanted: Bool, in id: LaneID,
        from peer: PeerHandle, into effects: inout [Effect]
    ) {
        guard let slot = slot(id, for: peer), let transcript = peers[peer]?.transcript else { return }
        guard hears(id, from: peer) else {
            // They wait for an answer and get none.
            if isWanted { send(.lane(slot, .done), to: peer, into: &effects) }
            return
        }
        let devices = lanes[id]?.frontier.devices ?? []
        // What a former member holds is told by ids alone: nothing would come after to find a fork that numbers hide.
        guard LaneDigest(of: Self.digest(of: devices), transcript: transcript) == chainList,
            devices.count == numbers.count, !isOutside(id, for: peer)
        else {
            return send(.lane(slot, .chainsRequest), to: peer, into: &effects)
        }
        claim(id, zip(devices, numbers), by: peer)
        if let place = devices.firstIndex(of: device.id) { noteHeld(id, numbers[place], by: peer, into: &effects) }
        let mine = lanes[id]?.frontier ?? Frontier()
        var known: [DeviceID: KnownChain] = [:]
        var wanted: [DeviceID: KnownChain] = [:]
        var isAhead = false
        for (device, number) in zip(devices, numbers) {
            known[device] = .through(number)
            let ours = mine.sequenceNumber(of: device)
            if number > ours { wanted[device] = .through(ours) }
            if number < ours { isAhead = true }
        }
        if isWanted {
            let known = withWhatIsComing(Known(chains: known, covered: .all), of: id, to: peer)
            serve(id, to: peer, beyond: known, into: &effects)
        }
        guard wanted.isEmpty, !isAhead else {
            // Both have the same chains: all their lengths are shorter than the names of some. The peer that lacks
            // nothing asks for nothing.
            if !isAhead, wanted.count > 1 + devices.count / Self.lengthsPerName, isFree(id), !mine.hasForks,
                mayAskOutOfTurn(peer, for: id)
            {
                return compare(id, with: peer, isOutOfTurn: true, into: &effects)
            }
            return ask(peer, for: wanted, of: id, into: &effects)
        }
        if holding(digest, of: id, by: peer) != .ours {
            // Equal numbers and different digests: somebody forked their chain.
            send(.lane(slot, .chainsRequest), to: peer, into: &effects)
        } else {
            noteSame(id, peer, into: &effects)
            // It compares because of what it heard before, and does not know it yet.
            sayEqual(id, to: peer, isWanted: isWanted, into: &effects)
        }
    }

    /// Tells a peer that compares what seems equal what is held here: once, unless it waits for an answer.
    private mutating func sayEqual(_ id: LaneID, to peer: PeerHandle, isWanted: Bool, into effects: inout [Effect]) {
        guard isWanted || peers[peer]?.lanes[id]?.said != lanes[id]?.digest else { return }
        status(id, to: peer, into: &effects)
    }

    /// Compares a part of the chains that a peer holds with ours.
    mutating func hear(
        _ part: ChainPart, isWanted: Bool, in id: LaneID, from peer: PeerHandle,
        into effects: inout [Effect]
    ) {
        guard let slot = slot(id, for: peer) else { return }
        claim(id, part.chains.lazy.map { ($0.device, $0.tips.last?.sequenceNumber ?? 0) }, by: peer)
        let mine = lanes[id]?.frontier ?? Frontier()
        let suspectsFork = peers[peer]?.lanes[id]?.question.suspectsFork == true
        var known: [DeviceID: KnownChain] = [:]
        var wanted: [DeviceID: KnownChain] = [:]
        for chain in part.chains {
            let ours = mine.tips[chain.device] ?? []
            let number = chain.tips.last?.sequenceNumber ?? 0
            let isForked =
                isOutside(id, for: peer) || suspectsFork && chain.tips != ours || chain.tips.count > 1 || ours.count > 1
                || number == mine.sequenceNumber(of: chain.device) && chain.tips != ours
            if isForked {
                known[chain.device] = .branches(chain.tips.map(\.id).sorted())
                // As sets: a chain may have very many branches.
                if !Set(ours).isSuperset(of: chain.tips) { wanted[chain.device] = .branches(ours.map(\.id).sorted()) }
            } else {
                known[chain.device] = .through(number)
                let held = mine.sequenceNumber(of: chain.device)
                if number > held { wanted[chain.device] = .through(held) }
            }
        }
        let isServed = serves(id, to: peer) || isRestricted(id, for: peer) && id.lane == .membership
        if isServed, isWanted || isRestricted(id, for: peer) {
            let known = withWhatIsComing(Known(chains: known, covered: part.range), of: id, to: peer)
            serve(id, to: peer, beyond: known, into: &effects)
        } else if isWanted {
            send(.lane(slot, .done), to: peer, into: &effects)
        }
        guard hears(id, from: peer) else { return }
        // A chain that is forked has more ends than a part may name: the digest tells whether the rest is equal as
        // well.
        if part == ChainPart(of: mine, after: nil) { sayEqual(id, to: peer, isWanted: isWanted, into: &effects) }
        if isUnknown(id, for: peer) {
            ask(outsider: peer, for: part.chains.map(\.device), of: id.conversation, into: &effects)
        } else if isOutside(id, for: peer) {
            effects.append(.seek(peer, id.conversation, part.chains))
        } else {
            ask(peer, for: wanted, of: id, into: &effects)
        }
    }

    /// Asks a peer outside the conversation for whole chains of the membership lane whose ends are unknown here. The
    /// peer may hold operations that decide who is a member. The request does not reveal what this node holds, and
    /// members are asked as well.
    mutating func ask(
        outsider peer: PeerHandle, for devices: [DeviceID], of conversation: ConversationID,
        into effects: inout [Effect]
    ) {
        let id = LaneID(conversation: conversation, lane: .membership)
        guard !devices.isEmpty, isOutside(id, for: peer), let slot = slot(id, for: peer) else { return }
        peers[peer]?.lanes[id, default: PeerLane()].question.wasAsked = true
        let wanted = Dictionary(devices.map { ($0, KnownChain.through(0)) }) { first, _ in first }
        send(.lane(slot, .want(PeerMessage.fitting(wanted))), to: peer, into: &effects)
    }

    private mutating func ask(
        _ peer: PeerHandle, for wanted: [DeviceID: KnownChain], of id: LaneID,
        into effects: inout [Effect]
    ) {
        guard !wanted.isEmpty, let slot = slot(id, for: peer) else { return }
        if lanes[id]?.source == peer {
            // The next part of the question asks for it.
            guard peers[peer]?.lanes[id]?.question.continuesAfter == nil else { return }
        } else {
            guard isFree(id), mayAskOutOfTurn(peer, for: id) else {
                return waitForTurn(of: peer, in: id)
            }
            take(peer, asSourceOf: id, isOutOfTurn: true)
        }
        let part = PeerMessage.fitting(wanted)
        peers[peer]?.lanes[id]?.question.lacksMore = part.count < wanted.count
        send(.lane(slot, .want(part)), to: peer, into: &effects)
    }

    /// Whether a peer that names what is not here is asked for it at once. Where it always were, it could take the
    /// turns of all others by naming more again and again.
    private func mayAskOutOfTurn(_ peer: PeerHandle, for id: LaneID) -> Bool {
        if endOfPause(of: id, for: peer) != nil { return false }
        guard let user = peers[peer]?.identity.device.user else { return false }
        return lanes[id]?.turns.waitsForTurn(user) != true || !isLacking(id, butFor: user)
    }

    /// Notes that a peer is to be asked later for what it has named, unless that has come by then.
    private mutating func waitForTurn(of peer: PeerHandle, in id: LaneID) {
        peers[peer]?.lanes[id, default: PeerLane()].doubts.hasNamedMore = true
        arm(id, peer, after: isInFlow(id, with: peer) ? PushedLately.duration : Self.grace * 4)
    }

    /// Says all that is held, for a peer that cannot tell by numbers.
    mutating func hearChainsRequest(for id: LaneID, from peer: PeerHandle, into effects: inout [Effect]) {
        noteAskedAsFormer(id, peer, into: &effects)
        guard let slot = slot(id, for: peer) else { return }
        guard serves(id, to: peer) else { return tellWhyOut(id, slot, to: peer, into: &effects) }
        let isWanted = lanes[id]?.source == peer || isFree(id) && mayAskOutOfTurn(peer, for: id)
        if isWanted, lanes[id]?.source == nil { take(peer, asSourceOf: id, isOutOfTurn: true) }
        sendChains(id, slot, isWanted: isWanted, to: peer, into: &effects)
    }

    /// Tells a former member who asks for chains why they are out, and asks them the same: members ask that only of
    /// whom they take for out.
    ///
    /// Where two take each other for out, each would ask forever and neither would say what it holds. Nobody else
    /// outside learns anything, and a former member is told once, until there is more to tell.
    private mutating func tellWhyOut(
        _ id: LaneID, _ slot: PeerMessage.LaneSlot, to peer: PeerHandle, into effects: inout [Effect]
    ) {
        guard id.lane == .membership, isRestricted(id, for: peer) else { return }
        let digest = lanes[id, default: LaneState()].digest
        guard peers[peer]?.lanes[id]?.outside.toldWhy != digest else { return }
        peers[peer]?.lanes[id, default: PeerLane()].outside.toldWhy = digest
        serve(id, to: peer, beyond: Known(chains: [:], covered: .all), into: &effects)
        askForReasons(id, of: peer, slot, into: &effects)
    }

    /// Asks somebody outside what they hold: it says what they have to be told, and if they take this device's user for
    /// out they answer why.
    mutating func askForReasons(
        _ id: LaneID, of peer: PeerHandle, _ slot: PeerMessage.LaneSlot, into effects: inout [Effect]
    ) {
        peers[peer]?.lanes[id, default: PeerLane()].question.wasAsked = true
        send(.lane(slot, .chainsRequest), to: peer, into: &effects)
    }

    /// Remembers what a member says they hold and is not here: if it does not come, it is a gap that they can fill.
    private mutating func claim(_ id: LaneID, _ numbers: some Sequence<(DeviceID, UInt64)>, by peer: PeerHandle) {
        guard id.lane == .content, serves(id, to: peer), let other = peers[peer]?.identity.device.id else { return }
        let mine = lanes[id]?.frontier ?? Frontier()
        var ahead = (claims[id.conversation]?[other] ?? [:]).filter { $0.value > mine.sequenceNumber(of: $0.key) }
        for (device, number) in numbers {
            let isAhead = number > mine.sequenceNumber(of: device) && number <= Limits.maximumSequenceNumber
            ahead[device] = isAhead ? number : nil
        }
        if ahead.count > PeerMessage.maximumChains { return }
        claims[id.conversation, default: [:]][other] = ahead.isEmpty ? nil : ahead
    }

    /// Whether a peer may have named something that has not come: of the membership lane, and of forks, that is not
    /// remembered.
    func isLackingWhatWasNamed(_ id: LaneID, by peer: PeerHandle) -> Bool {
        let mine = lanes[id]?.frontier ?? Frontier()
        guard id.lane == .content, !mine.hasForks, let other = peers[peer]?.identity.device.id,
            peers[peer]?.lanes[id]?.question.suspectsFork == false
        else { return true }
        return claims[id.conversation]?[other]?.contains { $0.value > mine.sequenceNumber(of: $0.key) } ?? false
    }

    // MARK: - What is on its way

    /// Whether what a peer lacks of a lane, or this node, may only be on its way: its authors pushed something a moment
    /// ago, and the peer has been connected for so long that it was sent all of it.
    func isInFlow(_ id: LaneID, with peer: PeerHandle) -> Bool {
        guard id.lane == .content, lanes[id]?.pushed.isComing(at: now) == true, let since = peers[peer]?.since,
            now - since >= PushedLately.duration * 2
        else { return false }
        return peers[peer]?.lanes[id]?.question.suspectsFork == false
    }

    /// What a peer holds of a lane once it has got what is on its way to it.
    ///
    /// Nothing is left out where the peer lacks anything else, for what it is sent may follow that. Nor is anything
    /// left out where it lacks an operation of this node that was pushed a round trip ago: its question is younger, so
    /// it waits there for an operation whose author only claims to have sent it.
    func withWhatIsComing(_ known: Known, of id: LaneID, to peer: PeerHandle) -> Known {
        guard isInFlow(id, with: peer), let lane = lanes[id], let settled = lane.pushed.settled(at: now) else {
            return known
        }
        let roundTrip = peers[peer]?.liveness.roundTrip ?? .zero
        let answerTime = max(roundTrip, min(lane.turns.answerTime, PushedLately.duration))
        let arrived = lane.pushed.settled(at: now, within: answerTime) ?? lane.frontier
        var all = known
        for device in lane.frontier.tips.keys {
            let mine = lane.frontier.sequenceNumber(of: device)
            let least = (device == self.device.id ? arrived : settled).sequenceNumber(of: device)
            guard case .through(let number) = known.chain(of: device), number >= least else { return known }
            if number < mine { all.chains[device] = .through(mine) }
        }
        return all
    }

    // MARK: - The source

    /// Whether a lane is being asked of a peer, so that a long answer may come.
    ///
    /// An answer may also come of a question that is over, of somebody outside, or as a removal proof. None of them
    /// need be awaited: the first is no more than a ``credit``, and the others are membership lanes.
    public func awaits(_ slot: PeerMessage.LaneSlot, from peer: PeerHandle) -> Bool {
        lane(slot, of: peer).map { lanes[$0]?.source == peer } ?? false
    }

    /// Makes a peer that is asked the one from which a lane comes.
    ///
    /// - Parameter isOutOfTurn: whether it is asked because of what it has just said, and not in its turn.
    mutating func take(_ peer: PeerHandle, asSourceOf id: LaneID, isOutOfTurn: Bool) {
        guard let user = peers[peer]?.identity.device.user else { return }
        let pull = Pull(from: peer, of: user, at: now)
        lanes[id, default: LaneState()].begin(pull)
        lanes[id]?.turns.begin(with: peer, of: user, isOutOfTurn: isOutOfTurn)
        peers[peer]?.lanes[id]?.doubts.hasNamedMore = false
        peers[peer]?.lanes[id, default: PeerLane()].question.begin(holding: lanes[id]?.digest, at: now)
        plan(endOfTurn(of: pull, for: id))
    }

    /// Goes on with the next part of a question, or with somebody else where all of it is answered.
    mutating func done(_ id: LaneID, by peer: PeerHandle, into effects: inout [Effect]) {
        if let asked = peers[peer]?.lanes[id]?.question.since.take() { lanes[id]?.turns.answerTime = now - asked }
        guard let pull = lanes[id]?.pull, pull.peer == peer else { return }
        if let after = peers[peer]?.lanes[id]?.question.continuesAfter, let slot = slot(id, for: peer),
            serves(id, to: peer)
        {
            lanes[id]?.pull?.progress = now
            return sendChains(id, slot, after: after, isWanted: true, to: peer, into: &effects)
        }
        lanes[id]?.pull = nil
        peers[peer]?.lanes[id]?.endWaiting(after: pull)
        let isInFlow = isInFlow(id, with: peer)
        lanes[id]?.turns.end(hasBrought: pull.hasBrought, isInFlow: isInFlow, at: now)
        let askedSince = lanes[id]?.askedSince.take()
        if peers[peer]?.lanes[id]?.question.held == lanes[id]?.digest {
            peers[peer]?.lanes[id]?.question.noteEmptyReply(at: now)
        } else {
            if let askedSince { pullTimes.count(now - askedSince) }
            peers[peer]?.lanes[id]?.question.forgetEmptyReplies()
            noteAnswered(id, by: peer)
        }
        // What came is whole now.
        if lanes[id]?.advertAt != nil { planAdvert(of: id) }
        // Only news: a former member's status is answered by their removal proof, which ends with another `done`.
        advertise(id, to: peer, into: &effects)
        for other in peers.handles { arm(id, other, after: other == peer ? Self.grace * 4 : .zero) }
    }

    /// Notes that a peer has sent all it holds beyond what was held here when it was asked. What it said before that
    /// tells nothing more while many write: others went on meanwhile, and what they wrote is on its way to both.
    private mutating func noteAnswered(_ id: LaneID, by peer: PeerHandle) {
        guard id.lane == .content, let state = peers[peer]?.lanes[id], !state.doubts.mustCompare,
            !state.question.suspectsFork, !state.question.lacksMore
        else { return }
        peers[peer]?.lanes[id]?.holds = .ours
        peers[peer]?.lanes[id]?.compareAt = nil
    }

    /// Asks nobody for a while for a lane that takes no more now, each time for longer.
    mutating func backOff(from id: LaneID, into effects: inout [Effect]) {
        guard let source = lanes[id]?.source else { return }
        lanes[id]?.refuse(at: now)
        leave(source, asSourceOf: id, into: &effects)
    }

    /// Asks at once for the lanes that took no more.
    mutating func askAgain() {
        for id in lanes.keys.sorted() where lanes[id]?.restsUntil != nil {
            lanes[id]?.endRest()
            for peer in peers.handles { arm(id, peer, after: .zero) }
        }
    }

    /// Whether anybody may be asked for a lane: nobody else is, and it takes more.
    private func isFree(_ id: LaneID) -> Bool { lanes[id].map { $0.state(at: now) == .free } ?? true }

    /// Takes no more from a peer that was asked, and lets others answer.
    mutating func leave(_ source: PeerHandle, asSourceOf id: LaneID, into effects: inout [Effect]) {
        lanes[id]?.pull = nil
        peers[source]?.lanes[id]?.question.continuesAfter = nil
        // A question for nothing ends the answer to the one before.
        if let slot = slot(id, for: source) { send(.lane(slot, .want([:])), to: source, into: &effects) }
        for peer in peers.handles { arm(id, peer, after: peer == source ? Pull.progressTimeout : .zero) }
    }
}
