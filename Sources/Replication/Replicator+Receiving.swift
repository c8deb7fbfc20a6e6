import Cryptography
import OperationLog
import Time

extension Replicator {
    mutating func receive(_ received: ReceivedMessage, from peer: PeerHandle, into effects: inout [Effect]) {
        guard peers[peer] != nil else { return }
        peers[peer]?.liveness.hear(at: now)
        switch received.content {
        case .message(let message): receive(message, of: received, from: peer, into: &effects)
        // A later version may say more than this one understands.
        case .unknownKind: break
        case .malformed(let error):
            // What is only too long is passed over: nobody may be made to lie by what somebody else wrote.
            if error.isOffense { offend(peer, "malformed message: \(error)", into: &effects) }
        }
    }

    private mutating func receive(
        _ message: PeerMessage, of received: ReceivedMessage, from peer: PeerHandle,
        into effects: inout [Effect]
    ) {
        guard let kind = received.kind, admits(message, of: kind, from: peer) else { return }
        guard kind.circle != .ownDevices || isOwnDevice(peer) else {
            return offend(peer, "speaks as a device of this user", into: &effects)
        }
        switch message {
        case .lane(let slot, let message):
            guard let id = lane(slot, of: peer) else { return }
            hear(message, in: id, verified: received.verified?.batch, from: peer, into: &effects)
        case .statuses(let slot, let membership, let content):
            statuses(membership, content, ofSlot: slot, from: peer, into: &effects)
        case .credit(let bytes):
            let unapplied = peers[peer]?.answers.unapplied ?? 0
            peers[peer]?.answers.unapplied = max(0, unapplied - bytes)
            resumeAnswers(to: peer, into: &effects)
        case .conversation(let slot, let message):
            guard let id = lane(slot, of: peer), hears(message, of: id, from: peer) else { return }
            effects.append(.heardOf(id.conversation, id.lane, message, from: peer))
        case .sharing(.tags(let tags)): hear(tags, from: peer, into: &effects)
        case .sharing(.announce(let conversation, let root)):
            hear(conversation, root, from: peer, into: &effects)
        case .sharing(.proof(let tag, let invite, let proof)):
            take(ShownProof(tag: tag, invite: invite, proof: proof), from: peer, into: &effects)
        case .presence(.ping(let number)): send(.presence(.pong(number)), to: peer, into: &effects)
        case .presence(.pong(let number)): peers[peer]?.liveness.answered(number, at: now)
        case .presence(.unreachable(let device)): hear(unreachable: device, from: peer, into: &effects)
        case .people(.hello(_, let port, let introduction)):
            hear(introduction, port: port, from: peer, into: &effects)
        case .people, .cards, .presence, .sharing, .files, .privateState:
            effects.append(.heard(message, from: peer, received.verified))
        }
    }

    /// Takes in what is said of a lane.
    private mutating func hear(
        _ message: LaneMessage, in id: LaneID, verified: Result<Batch, MalformedBytes>?, from peer: PeerHandle,
        into effects: inout [Effect]
    ) {
        switch message {
        case .status(let digest): status(digest, of: id, from: peer, into: &effects)
        case .frontier(let isWanted, let digest, let chainList, let numbers):
            hear(
                numbers, of: chainList, with: digest, isWanted: isWanted, in: id, from: peer, into: &effects)
        case .chains(let isWanted, let part):
            hear(part, isWanted: isWanted, in: id, from: peer, into: &effects)
        case .chainsRequest: hearChainsRequest(for: id, from: peer, into: &effects)
        case .want(let chains):
            let known = withWhatIsComing(Known(chains: chains, covered: nil), of: id, to: peer)
            serve(id, to: peer, beyond: known, into: &effects)
        case .batch(let isAnswer, let reached, let bytes):
            // The peer counts as unapplied what it calls an answer, so that is what it gets credit for.
            peers[peer]?.answered.append(isAnswer)
            if !isAnswer { peers[peer]?.lanes[id, default: PeerLane()].pushedAt = now }
            let wasAsked = peers[peer]?.lanes[id]?.question.wasAsked == true
            effects.append(
                .admit(
                    peer, id.conversation, id.lane, bytes, verified: verified,
                    isAnswer && wasAsked ? .answer : .push(reached: reached)))
        case .done: done(id, by: peer, into: &effects)
        }
    }

    func lane(_ slot: PeerMessage.LaneSlot, of peer: PeerHandle) -> LaneID? {
        conversation(at: slot.slot, of: peer).map { LaneID(conversation: $0, lane: slot.lane) }
    }

    /// The conversation at a place in a peer's list of tags, if both know it.
    package func conversation(at slot: Int, of peer: PeerHandle) -> ConversationID? { peers[peer]?.shared.bySlot[slot] }

    func offend(_ peer: PeerHandle, _ reason: String, into effects: inout [Effect]) {
        if let device = peers[peer]?.identity.device.id { effects.append(.ban(device)) }
        effects.append(.disconnect(peer, reason: reason))
    }

    /// Takes in what a peer holds of both lanes, membership first: content is judged by it.
    private mutating func statuses(
        _ membership: LaneDigest, _ content: LaneDigest, ofSlot slot: Int, from peer: PeerHandle,
        into effects: inout [Effect]
    ) {
        guard let conversation = conversation(at: slot, of: peer) else { return }
        for (lane, digest) in [(Lane.membership, membership), (.content, content)] {
            let id = LaneID(conversation: conversation, lane: lane)
            status(digest, of: id, from: peer, into: &effects)
        }
    }

    private mutating func status(
        _ digest: LaneDigest, of id: LaneID, from peer: PeerHandle, into effects: inout [Effect]
    ) {
        guard let transcript = peers[peer]?.transcript else { return }
        if isOutside(id, for: peer) {
            peers[peer]?.lanes[id, default: PeerLane()].outside.said = digest
            peers[peer]?.lanes[id]?.compareAt = nil
            // A former member may not know it yet: their own chains tell what they lack of the removal proof. And a
            // person whose addition nobody else has heard of holds what we lack.
            if id.lane == .membership, let mine = slot(id, for: peer),
                digest != LaneDigest(of: frontier(id, shownTo: peer).digest, transcript: transcript)
            {
                send(.lane(mine, .chainsRequest), to: peer, into: &effects)
            }
            return
        }
        let before = peers[peer]?.lanes[id, default: PeerLane()].holds ?? .unknown
        let isFirst = before == .unknown
        let holds = holding(digest, of: id, by: peer)
        if before != holds { peers[peer]?.lanes[id]?.question.forgetEmptyReplies() }
        if holds == .ours {
            noteSame(id, peer, into: &effects)
            // It does not know yet that we are equal.
            advertise(id, to: peer, into: &effects)
            return
        }
        // What was held here a moment ago lacks only what is on its way to the peer, unless the peer has just come.
        if id.lane == .content, before == .ours,
            lanes[id]?.past.contains(digest, transcript: transcript, at: now) == true
        {
            return
        }
        peers[peer]?.lanes[id, default: PeerLane()].holds = holds
        guard let role = peers[peer]?.role else { return }
        // What it pushed waits for that.
        let isAwaited = waitsSince(peer, in: id) != nil
        let delay =
            isFirst || isAwaited ? Duration.zero : max(Self.grace, (peers[peer]?.liveness.roundTrip ?? .zero) * 3)
        arm(id, peer, after: role == .initiator || isAwaited ? delay : delay + Self.grace * 4)
    }

    /// Notes that a peer holds exactly what is held here.
    mutating func noteSame(_ id: LaneID, _ peer: PeerHandle, into effects: inout [Effect]) {
        peers[peer]?.lanes[id, default: PeerLane()].becomeEqual()
        noteEqual(id, peer, into: &effects)
    }

    // MARK: - Answering

    mutating func serve(_ id: LaneID, to peer: PeerHandle, beyond known: Known, into effects: inout [Effect]) {
        let isRestricted = isRestricted(id, for: peer) && id.lane == .membership
        guard serves(id, to: peer) || isRestricted else { return }
        guard (peers[peer]?.answers.unapplied ?? 0) < Self.credit else {
            // Whoever asks about more is not answered, and asks again.
            let weight = peers[peer]?.answers.questions.filter { $0.key != id }.values.reduce(known.weight) {
                $0 + $1.weight
            }
            if weight ?? 0 <= Self.maximumWaitingDevices { peers[peer]?.answers.questions[id] = known }
            return
        }
        effects.append(.serve(peer, id.conversation, id.lane, beyond: known, isRestricted: isRestricted))
    }

    mutating func served(_ peer: PeerHandle, _ id: LaneID, _ batch: [UInt8]?, into effects: inout [Effect]) {
        guard let slot = slot(id, for: peer) else { return }
        guard let batch else {
            send(.lane(slot, .done), to: peer, urgency: .bulk, into: &effects)
            return
        }
        peers[peer]?.answers.unapplied += batch.count
        send(.lane(slot, .batch(isAnswer: true, batch)), to: peer, urgency: .bulk, into: &effects)
        peers[peer]?.answers.waiting.append(id)
        resumeAnswers(to: peer, into: &effects)
    }

    private mutating func resumeAnswers(to peer: PeerHandle, into effects: inout [Effect]) {
        guard let state = peers[peer], state.answers.unapplied < Self.credit else { return }
        guard let id = state.answers.waiting.first else {
            guard let (id, known) = state.answers.questions.min(by: { $0.key < $1.key }) else { return }
            peers[peer]?.answers.questions[id] = nil
            return serve(id, to: peer, beyond: known, into: &effects)
        }
        peers[peer]?.answers.waiting.removeFirst()
        // Who was taken out meanwhile gets no more of what they were served before.
        effects.append(
            .serve(peer, id.conversation, id.lane, beyond: nil, isRestricted: !serves(id, to: peer)))
    }

    mutating func admissionFinished(
        _ peer: PeerHandle, _ id: LaneID, _ bytes: Int, _ outcome: Outcome,
        into effects: inout [Effect]
    ) {
        guard peers[peer] != nil else { return }
        let isAnswer = peers[peer]?.answered.isEmpty == false && peers[peer]?.answered.removeFirst() == true
        if isAnswer {
            // Progress is what was lacking: else old batches, or those of somebody who was not asked, would keep others
            // from being asked.
            if outcome == .taken, lanes[id]?.source == peer { lanes[id]?.bring(bytes, at: now) }
            send(.credit(bytes), to: peer, into: &effects)
        }
        switch outcome {
        case .taken, .duplicate: break
        case .pending, .ignored:
            if isAnswer {
                // It answered what we lack by number, and what precedes it is still lacking.
                peers[peer]?.lanes[id, default: PeerLane()].question.suspectsFork = true
            } else {
                // What a content batch lacks may be in the membership lane.
                let membership = LaneID(conversation: id.conversation, lane: .membership)
                if outcome == .pending { peers[peer]?.lanes[id, default: PeerLane()].beginWaiting(at: now) }
                if outcome == .pending, isInFlow(id, with: peer) {
                    // Or it is on its way, and comes before an answer would.
                    arm(id, peer, after: Self.grace)
                    advertise(membership, to: peer, into: &effects)
                } else {
                    compareAgain(id, with: peer, at: now)
                    status(membership, to: peer, into: &effects)
                }
            }
        case .noRoom:
            if lanes[id]?.source == peer { backOff(from: id, into: &effects) }
        case .refused: offend(peer, "a malformed batch", into: &effects)
        case .notStored:
            compareAgain(id, with: peer, at: now + Self.storageBackoff)
            guard lanes[id]?.source == peer else { return }
            lanes[id]?.pull = nil
            for other in peers.handles where other != peer { arm(id, other, after: Self.storageBackoff) }
        case .resting(let end):
            lanes[id, default: LaneState()].rest(until: end)
            if lanes[id]?.source == peer { leave(peer, asSourceOf: id, into: &effects) }
            compareAgain(id, with: peer, at: end)
        }
    }

    /// Notes that what a peer pushed before what it follows had come is here now: that need not be asked for any more.
    mutating func released(_ peer: PeerHandle, _ id: LaneID) {
        guard peers[peer]?.lanes[id]?.doubts.waitsSince != nil else { return }
        peers[peer]?.lanes[id]?.doubts.waitsSince = nil
        arm(id, peer, after: Self.grace * 20)
    }

    // MARK: - Reading

    /// How a conversation is doing.
    public struct Status: Hashable, Sendable {
        /// What is going on.
        public enum State: String, Hashable, Sendable { case synced, pulling, behind, alone }
        /// What is going on with the connected peers.
        public let state: State
        /// Devices of members that hold exactly what we hold.
        public let inSync: [DeviceID]
        /// The device a lane is being fetched from.
        public let pullingFrom: DeviceID?
    }

    /// How a conversation is doing, compared with its connected members.
    ///
    /// Somebody invited or removed holds something else and is right to, so nobody waits for what they have. Nor does
    /// this node once its own user is out; while they are invited it compares the membership lane alone.
    public func status(of conversation: ConversationID) -> Status {
        let audience = conversations[conversation]?.audience ?? [:]
        let lanes: [Lane] =
            switch audience[device.user] {
            case .member: Lane.allCases
            case .invited: [.membership]
            case .former, nil: []
            }
        let ids = lanes.map { LaneID(conversation: conversation, lane: $0) }
        var inSync: [DeviceID] = []
        var behind = false
        for (_, peer) in peers where !ids.isEmpty {
            guard peer.shared.theirSlots.contains(conversation), audience[peer.identity.device.user] == .member else {
                continue
            }
            let equal = ids.allSatisfy { peer.lanes[$0]?.holds == .ours }
            if equal { inSync.append(peer.identity.device.id) } else { behind = true }
        }
        let source = ids.compactMap { self.lanes[$0]?.source }.first.flatMap { peers[$0]?.identity.device.id }
        return Status(
            state: source != nil ? .pulling : behind ? .behind : inSync.isEmpty ? .alone : .synced,
            inSync: inSync.sorted(), pullingFrom: source)
    }

    /// For each chain of the content of a conversation, who said that they hold more of it than is here, and through
    /// which place.
    public func advertised(in conversation: ConversationID) -> [DeviceID: [(peer: DeviceID, through: UInt64)]] {
        let mine = lanes[LaneID(conversation: conversation, lane: .content)]?.frontier ?? Frontier()
        var ahead: [DeviceID: [(peer: DeviceID, through: UInt64)]] = [:]
        for (peer, chains) in (claims[conversation] ?? [:]).sorted(by: { $0.key < $1.key }) {
            for (chain, through) in chains where through > mine.sequenceNumber(of: chain) {
                ahead[chain, default: []].append((peer, through))
            }
        }
        return ahead
    }

    /// How this node names conversations to a peer.
    package func slots(for peer: PeerHandle) -> [ConversationID: Int] { peers[peer]?.shared.slots ?? [:] }

    /// The smoothed round trip to a peer.
    public func roundTrip(of peer: PeerHandle) -> Duration? { peers[peer]?.liveness.roundTrip }
}
