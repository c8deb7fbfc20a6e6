import Cryptography
import OperationLog
import Time

extension Replicator {
    /// Takes in an event and returns what to do, in order.
    ///
    /// - Complexity: O(peers) for a commit, O(chains) for a comparison, O(peers × conversations) for a tick, else O(1).
    public mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        self.now = now
        var effects: [Effect] = []
        let planned = wakeAt
        switch event {
        case .connected(let peer, let identity, let transcript, let role):
            connect(peer, identity, transcript, role, into: &effects)
        case .disconnected(let peer):
            disconnect(peer, into: &effects)
        case .received(let peer, let message):
            receive(message, from: peer, into: &effects)
        case .opened(let conversation, let root, let membership, let content):
            let audience = conversations[conversation]?.audience ?? [:]
            conversations[conversation] = Conversation(root: root, audience: audience)
            for (lane, frontier) in [(Lane.membership, membership), (.content, content)] {
                let id = LaneID(conversation: conversation, lane: lane)
                let before = hold(frontier, of: id)
                for peer in peers.handles { moveAlong(id, peer, isSent: false, from: before) }
            }
        case .audienceChanged(let conversation, let audience):
            replaceAudience(of: conversation, with: audience)
            ringChanged()
            forgetDigests(of: conversation)
            for peer in peers.handles {
                share(conversation, with: peer, into: &effects)
                for lane in Lane.allCases where peers[peer]?.shared.theirSlots.contains(conversation) == true {
                    letIn(peer, to: LaneID(conversation: conversation, lane: lane), into: &effects)
                }
            }
            proveAnnouncements(of: conversation, into: &effects)
        case .expelled(let peer, let conversation):
            let id = LaneID(conversation: conversation, lane: .membership)
            guard isRestricted(id, for: peer), let slot = slot(id, for: peer) else { break }
            askForReasons(id, of: peer, slot, into: &effects)
        case .presenting(let conversation, let invite, let proof):
            present(conversation, invite, proof, into: &effects)
        case .withdrawn(let conversation):
            presented[conversation] = nil
        case .committed(let conversation, let lane, let frontier, let origin):
            committed(LaneID(conversation: conversation, lane: lane), frontier, origin, into: &effects)
            if lane == .membership { examineProofs(for: conversation, into: &effects) }
        case .saying(let message, let conversation, let lane, let peers, let urgency):
            let id = LaneID(conversation: conversation, lane: lane)
            say(message, of: id, to: peers, urgency: urgency, into: &effects)
        case .lacking(let peer, let conversation, let devices):
            ask(outsider: peer, for: devices, of: conversation, into: &effects)
        case .offended(let peer, let reason):
            offend(peer, reason, into: &effects)
        case .admissionFinished(let peer, let conversation, let lane, let bytes, let outcome):
            admissionFinished(
                peer, LaneID(conversation: conversation, lane: lane), bytes, outcome, into: &effects)
        case .released(let peer, let conversation, let lane):
            released(peer, LaneID(conversation: conversation, lane: lane))
        case .roomMade: askAgain()
        case .served(let peer, let conversation, let lane, let batch):
            served(peer, LaneID(conversation: conversation, lane: lane), batch, into: &effects)
        case .notServed(let peer, let conversation, let lane):
            // A peer who does not know that it is in the conversation asks each question once.
            compareAgain(LaneID(conversation: conversation, lane: lane), with: peer, at: now + Self.storageBackoff)
        case .congested(let peer, let congestion): congested(peer, congestion, into: &effects)
        case .acknowledged(let peer): peers[peer]?.liveness.acknowledge()
        case .answeredElsewhere(let peer): demandAnswer(of: peer, into: &effects)
        case .introduced(let introduction, let port):
            hello = (introduction, port)
            for peer in peers.handles { introduceSelf(to: peer, into: &effects) }
        case .tick:
            tick(into: &effects)
        }
        // A peer that is told has one timer: after a tick it has forgotten what it was asked for before.
        if let wakeAt, wakeAt != planned || lastTick == now { effects.append(.wake(at: max(wakeAt, now))) }
        return effects
    }

    // MARK: - Connections

    private mutating func connect(
        _ peer: PeerHandle, _ identity: PeerIdentity, _ transcript: [UInt8], _ role: HandshakeState.Role,
        into effects: inout [Effect]
    ) {
        let liveness = PeerLiveness(role: role, at: now)
        peers[peer] = Peer(identity: identity, transcript: transcript, role: role, since: now, liveness: liveness)
        if let check = liveness.next { plan(check) }
        ringChanged()
        introduceSelf(to: peer, into: &effects)
        shareEverything(with: peer, into: &effects)
        presentEverything(to: peer, into: &effects)
    }

    private mutating func disconnect(_ peer: PeerHandle, into effects: inout [Effect]) {
        let gone = peers.removeValue(forKey: peer)
        due[peer] = nil
        ringChanged()
        if let gone {
            forgetEmptyConversations(of: gone, into: &effects)
            sample(afterEndOf: gone)
        }
        for id in lanes.keys {
            guard lanes[id]?.source == peer else { continue }
            lanes[id]?.pull = nil
            // When somebody else comes who has it, is no matter of how fast they are.
            lanes[id]?.askedSince = nil
        }
        for other in peers.handles { rearm(other) }
    }

    private func introduceSelf(to peer: PeerHandle, into effects: inout [Effect]) {
        let message = PeopleMessage.hello(replicaEpoch: replicaEpoch, port: hello.port, hello.introduction)
        send(.people(message), to: peer, into: &effects)
    }

    private mutating func congested(_ peer: PeerHandle, _ congestion: Congestion, into effects: inout [Effect]) {
        let wasCongested = peers[peer]?.isCongested == true
        peers[peer]?.isCongested = congestion == .live
        if wasCongested, congestion != .live { advertise(to: peer, into: &effects) }
    }

    // MARK: - Telling

    func send(
        _ message: PeerMessage, to peer: PeerHandle, urgency: SecureChannel.Urgency = .live,
        into effects: inout [Effect]
    ) {
        effects.append(.send(peer, message.encoded, urgency))
    }

    func slot(_ id: LaneID, for peer: PeerHandle) -> PeerMessage.LaneSlot? {
        guard let slot = peers[peer]?.shared.slots[id.conversation],
            peers[peer]?.shared.theirSlots.contains(id.conversation) == true
        else { return nil }
        return PeerMessage.LaneSlot(slot: slot, lane: id.lane)
    }

    /// Whether a peer is served a lane.
    func serves(_ id: LaneID, to peer: PeerHandle) -> Bool {
        guard let user = peers[peer]?.identity.device.user, let state = conversations[id.conversation] else {
            return false
        }
        switch state.audience[user] {
        case .member: return true
        case .invited: return id.lane == .membership
        case .former, nil: return false
        }
    }

    /// Whether a peer is sent at once what is written in a conversation, and who writes: it must be served there, and
    /// have room.
    public func reaches(_ peer: PeerHandle, in conversation: ConversationID) -> Bool {
        let id = LaneID(conversation: conversation, lane: .content)
        return serves(id, to: peer) && slot(id, for: peer) != nil && peers[peer]?.isCongested == false
    }

    func isRestricted(_ id: LaneID, for peer: PeerHandle) -> Bool {
        guard let user = peers[peer]?.identity.device.user else { return false }
        return conversations[id.conversation]?.audience[user] == .former
    }

    /// Whether a peer's user is not in a conversation now, as far as is known here: they are heard about who is, and
    /// served no more than their removal proof.
    func isOutside(_ id: LaneID, for peer: PeerHandle) -> Bool {
        guard let user = peers[peer]?.identity.device.user, let state = conversations[id.conversation] else {
            return false
        }
        switch state.audience[user] {
        case .former, nil: return true
        case .member, .invited: return false
        }
    }

    /// Whether this node compares its lane with what a peer says it holds. From somebody outside the conversation it
    /// accepts only the membership lane.
    func hears(_ id: LaneID, from peer: PeerHandle) -> Bool {
        serves(id, to: peer) || isOutside(id, for: peer) && id.lane == .membership
    }

    /// Tells a peer what is held of a lane, if it is served that.
    mutating func status(_ id: LaneID, to peer: PeerHandle, into effects: inout [Effect]) {
        guard serves(id, to: peer), let slot = slot(id, for: peer), let transcript = peers[peer]?.transcript else {
            return
        }
        let digest = noteTold(id, to: peer, transcript: transcript)
        send(.lane(slot, .status(digest)), to: peer, into: &effects)
    }

    /// Tells a member in one message what is held of both lanes. An invitee is told of the membership lane only,
    /// anybody else nothing.
    mutating func statuses(of conversation: ConversationID, to peer: PeerHandle, into effects: inout [Effect]) {
        let membership = LaneID(conversation: conversation, lane: .membership)
        let content = LaneID(conversation: conversation, lane: .content)
        guard serves(content, to: peer) else { return status(membership, to: peer, into: &effects) }
        guard let slot = slot(membership, for: peer)?.slot, let transcript = peers[peer]?.transcript else { return }
        let membershipDigest = noteTold(membership, to: peer, transcript: transcript)
        let contentDigest = noteTold(content, to: peer, transcript: transcript)
        send(
            .statuses(slot: slot, membership: membershipDigest, content: contentDigest), to: peer, into: &effects)
    }

    /// Notes that a peer is told what is held of a lane.
    ///
    /// - Returns: that, as it is said on the peer's connection.
    private mutating func noteTold(_ id: LaneID, to peer: PeerHandle, transcript: [UInt8]) -> LaneDigest {
        let digest = lanes[id, default: LaneState()].digest
        peers[peer]?.lanes[id, default: PeerLane()].told = .ours
        peers[peer]?.lanes[id]?.said = digest
        return LaneDigest(of: digest, transcript: transcript)
    }

    mutating func advertise(to peer: PeerHandle, into effects: inout [Effect]) {
        guard let known = peers[peer]?.shared.theirSlots else { return }
        for conversation in known.sorted() {
            for lane in Lane.allCases {
                advertise(LaneID(conversation: conversation, lane: lane), to: peer, into: &effects)
            }
        }
    }

    mutating func advertise(_ id: LaneID, to peer: PeerHandle, into effects: inout [Effect]) {
        guard let state = peers[peer]?.lanes[id], state.told != .ours else { return }
        status(id, to: peer, into: &effects)
    }

    // MARK: - Comparing

    /// Compares a lane with a peer after a while, unless the digests have become equal by then.
    mutating func arm(_ id: LaneID, _ peer: PeerHandle, after delay: Duration) {
        guard let known = peers[peer]?.lanes[id] else { return }
        // After something could not be taken, news change nothing about when it is asked for.
        if known.doubts.mustCompare, known.compareAt != nil { return }
        switch known.state {
        case .unheard: break
        case .equal: if known.compareAt != nil { peers[peer]?.lanes[id]?.compareAt = nil }
        case .different:
            // Of a lane that takes no more, news are no reason to ask again.
            let moment = max(now + delay, known.question.restsUntil ?? now, lanes[id]?.restsUntil ?? now)
            compare(id, with: peer, at: min(known.compareAt ?? moment, moment))
        }
    }

    /// Plans a comparison.
    mutating func compare(_ id: LaneID, with peer: PeerHandle, at moment: Instant) {
        peers[peer]?.lanes[id]?.compareAt = moment
        plan(moment, for: peer)
    }

    /// Plans a comparison that is due whatever the peer says until then.
    mutating func compareAgain(_ id: LaneID, with peer: PeerHandle, at moment: Instant) {
        peers[peer]?.lanes[id, default: PeerLane()].doubts.mustCompare = true
        compare(id, with: peer, at: moment)
    }

    /// Notes who is in a conversation now. Nobody sends those who come in what was pushed a moment ago.
    private mutating func replaceAudience(of conversation: ConversationID, with audience: [UserID: MembershipStatus]) {
        guard conversations[conversation]?.audience != audience else { return }
        conversations[conversation]?.audience = audience
        for lane in Lane.allCases {
            lanes[LaneID(conversation: conversation, lane: lane)]?.turns.forget(allBut: audience)
        }
        lanes[LaneID(conversation: conversation, lane: .content)]?.pushed.forget()
    }

    /// Forgets the digests of peers that are no longer served the conversation, or of all peers if this node is no
    /// longer served it: such replicas stay different. A peer that is admitted again announces its digests again.
    private mutating func forgetDigests(of conversation: ConversationID) {
        let isFormer = conversations[conversation]?.audience[device.user] == .former
        for lane in Lane.allCases {
            let id = LaneID(conversation: conversation, lane: lane)
            for peer in peers.handles where isFormer || isRestricted(id, for: peer) {
                peers[peer]?.lanes[id]?.becomeUnheard()
            }
        }
    }

    /// Starts comparing with a peer that was just admitted: it lacks what it missed, and the digest that it sent before
    /// counts from now on.
    private mutating func letIn(_ peer: PeerHandle, to id: LaneID, into effects: inout [Effect]) {
        guard serves(id, to: peer) else { return }
        if peers[peer]?.lanes[id]?.told != .ours { status(id, to: peer, into: &effects) }
        guard peers[peer]?.lanes[id]?.holds == .unknown, let said = peers[peer]?.lanes[id]?.outside.said else {
            return
        }
        let holds = holding(said, of: id, by: peer)
        peers[peer]?.lanes[id]?.holds = holds
        peers[peer]?.lanes[id]?.outside.said = nil
        arm(id, peer, after: Self.grace)
    }

    /// What a peer holds that says so on its connection.
    func holding(_ said: LaneDigest, of id: LaneID, by peer: PeerHandle) -> Holding {
        guard let transcript = peers[peer]?.transcript else { return .unknown }
        return Holding(said, mine: LaneDigest(of: (lanes[id] ?? LaneState()).digest, transcript: transcript))
    }

    mutating func rearm(_ peer: PeerHandle) {
        for id in (peers[peer]?.lanes ?? [:]).keys.sorted() { arm(id, peer, after: Self.grace) }
    }

    // MARK: - Time

    private mutating func tick(into effects: inout [Effect]) {
        // When we ourselves were slow, silence says nothing about others.
        let lateness = wakeAt.map { max(.zero, now - $0) } ?? .zero
        lastTick = now
        guard wakeAt.map({ $0 <= now }) ?? true else { return }
        checkLiveness(lateBy: lateness, into: &effects)
        for id in lanes.lazy.filter({ $0.value.pull != nil }).map(\.key).sorted() {
            replaceSource(of: id, into: &effects)
        }
        let handles = peers.handles.filter { handle in
            due[handle].map { $0 <= now } ?? false && peers[handle]?.liveness.isGivenUp == false
        }
        compareWhatIsDue(with: handles, into: &effects)
        for handle in handles {
            relay(to: handle, into: &effects)
            hearWaitingHello(from: handle, into: &effects)
            due[handle] = peers[handle]?.next
        }
        for id in lanes.lazy.filter({ [now] in $0.value.advertAt.map { $0 <= now } ?? false }).map(\.key).sorted() {
            lanes[id]?.advertAt = nil
            for peer in peers.handles { advertise(id, to: peer, into: &effects) }
        }
        sample(into: &effects)
        wakeAt = nextWake(after: now)
    }

    /// Compares the lanes whose time has come, each with one peer after the other.
    private mutating func compareWhatIsDue(with handles: [PeerHandle], into effects: inout [Effect]) {
        let isDue = { [now] (lane: PeerLane) in lane.compareAt.map { $0 <= now } ?? false }
        var due: [LaneID: [PeerHandle]] = [:]
        for handle in handles {
            for (id, _) in (peers[handle]?.lanes ?? [:]).lazy.filter({ isDue($0.value) }) {
                due[id, default: []].append(handle)
            }
        }
        for (id, handles) in due.sorted(by: { $0.key < $1.key }) {
            for handle in inTurn(handles, for: id) {
                peers[handle]?.lanes[id]?.compareAt = nil
                if peers[handle]?.lanes[id]?.doubts.hasNamedMore == true, !isLackingWhatWasNamed(id, by: handle) {
                    peers[handle]?.lanes[id]?.doubts.hasNamedMore = false
                }
                guard let state = peers[handle]?.lanes[id]?.state else { continue }
                if peers[handle]?.liveness.isLate(at: now) == true {
                    // Others would wait for its answer, too.
                    compare(id, with: handle, at: now + PeerLiveness.watchTimeout)
                } else if let moment = endOfPause(of: id, for: handle) {
                    compare(id, with: handle, at: moment)
                } else if state != .equal {
                    compare(id, with: handle, into: &effects)
                }
            }
        }
    }

    /// Notes that something is to be done at a moment.
    mutating func plan(_ moment: Instant) { wakeAt = min(wakeAt ?? moment, moment) }

    /// Notes that something is to be done about a peer at a moment.
    mutating func plan(_ moment: Instant, for peer: PeerHandle) {
        due[peer] = min(due[peer] ?? moment, moment)
        plan(moment)
    }

    /// When the next timer is due; never while nobody is connected.
    private func nextWake(after now: Instant) -> Instant? {
        guard !peers.isEmpty, var next = nextLivenessCheck ?? due.values.min() else { return nil }
        for moment in due.values { next = min(next, moment) }
        for (id, lane) in lanes {
            if let moment = lane.advertAt { next = min(next, moment) }
            if let pull = lane.pull { next = min(next, endOfTurn(of: pull, for: id)) }
        }
        if let moment = sampling.next { next = min(next, moment) }
        return max(next, now)
    }
}
