import Conversations
import OperationLog
import Replication
import Storage
import Time

extension NodeCore {
    /// Verifies, judges, commits and shows a batch that a peer sent.
    ///
    /// - Parameters:
    ///   - verified: what it is, if it was verified already.
    ///   - delivery: why it came; what was not asked for is sent the moment it is written.
    mutating func admit(
        _ bytes: [UInt8], verified: Result<Batch, MalformedBytes>? = nil, to conversation: ConversationID, lane: Lane,
        from peer: PeerHandle, _ delivery: Replicator.Delivery = .push(reached: [])
    ) {
        if let end = restEnd(of: conversation, lane, isPushed: delivery != .answer) {
            return admissionFinished(.resting(until: end), conversation, lane, peer, bytes.count)
        }
        let batch: Batch
        do throws(MalformedBytes) {
            batch =
                if let verified {
                    try verified.get()
                } else {
                    try Batch(decoding: bytes, of: conversation, lane: lane)
                }
        } catch {
            note(.batchRefused(error))
            admissionFinished(error.isOffense ? .refused : .ignored, conversation, lane, peer, bytes.count)
            return
        }
        var admitted: [AdmittedOperation] = []
        let outcome = take(batch, to: conversation, from: peer, delivery, &admitted)
        if outcome == .taken {
            release(in: conversation, after: &admitted)
            writeObligations(in: conversation, after: admitted)
            if delivery != .answer {
                if let event = laneExchange.compareClock(of: batch.operations, from: peer, in: context) { note(event) }
                laneExchange.countDelays(of: batch.operations, from: peer, in: context)
            }
        }
        admissionFinished(outcome, conversation, lane, peer, bytes.count)
    }

    /// Counts what it cost to take a message, if it brought operations.
    mutating func spent(_ cost: Duration, on message: ReceivedMessage, from peer: PeerHandle) {
        guard let slot = message.batchLane?.slot, let conversation = replicator.conversation(at: slot.slot, of: peer),
            isPaced(conversation, slot.lane)
        else { return }
        let rested = restEnd(of: conversation, slot.lane) != nil
        admissionPace.spend(
            cost, on: message.operationCount, of: conversation,
            isJoined: context.familiarity.joined.contains(conversation), at: now)
        if !rested, restEnd(of: conversation, slot.lane) != nil { note(.costly(conversation)) }
    }

    /// Whether operations have to wait after some cost a lot: decisions, and everything while the user takes no part.
    private func isPaced(_ conversation: ConversationID, _ lane: Lane) -> Bool {
        lane == .membership || !context.familiarity.joined.contains(conversation)
    }

    private func restEnd(of conversation: ConversationID, _ lane: Lane, isPushed: Bool = false) -> Instant? {
        guard isPaced(conversation, lane) else { return nil }
        return admissionPace.restEnd(
            of: conversation, isJoined: context.familiarity.joined.contains(conversation), isPushed: isPushed, at: now)
    }

    private mutating func admissionFinished(
        _ outcome: Replicator.Outcome, _ conversation: ConversationID, _ lane: Lane, _ peer: PeerHandle, _ count: Int
    ) {
        replicate(.admissionFinished(peer, conversation, lane, bytes: count, outcome: outcome))
    }

    /// Where a batch comes from: what its author pushed everybody has whom they reach, and the others connected here
    /// may lack.
    private mutating func origin(
        of batch: Batch, in conversation: ConversationID, _ delivery: Replicator.Delivery, by peer: PeerHandle
    ) -> Origin {
        guard case .push(let bytes) = delivery, let reached = DeliveredReaders(bytes: bytes), batch.lane == .content,
            let last = batch.operations.last, last.author.id == links[peer]?.identity?.device.id,
            let view = replicas[conversation]?.view(at: last.header.membershipHeads)
        else { return .fetched }
        // Also who hears nothing now, because much waits for them, and who came after the view: the replicator tells
        // members only.
        let unreached = links.lazy.filter { other, link in
            guard other != peer, let device = link.identity?.device.id else { return false }
            return view.place(of: device).map { !reached.contains($0) } ?? true
        }
        return .pushed(unreached: Set(unreached.map(\.key)))
    }

    /// - Parameter admitted: where what is new is added.
    private mutating func take(
        _ batch: Batch, to conversation: ConversationID, from peer: PeerHandle, _ delivery: Replicator.Delivery,
        _ admitted: inout [AdmittedOperation]
    ) -> Replicator.Outcome {
        guard var log = replicas[conversation]?.log else { return .ignored }
        guard bodyQuota.hasRoom(for: batch, in: conversation, from: peer, &context) else { return .noRoom }
        let lane = log.membership
        do {
            // In place: what is found about pasts is asked about again at once, and a copy of the replica would cost
            // more.
            let admission = try log.admit(batch, using: storage.index(of: conversation)) { user, heads in
                replicas[conversation]?.group.isMember(user, at: heads, in: lane) == true
            }
            switch admission {
            case .admitted(let operations):
                try noticeCopy(in: operations, of: conversation)
                try commit(
                    operations, log: log, from: origin(of: batch, in: conversation, delivery, by: peer))
                noteSpoken(operations, in: conversation)
                admitted += operations
                return .taken
            case .pending(let missing):
                let isFirst = laneExchange.pending.isEmpty
                let isWaiting = laneExchange.pending.insert(
                    batch, of: conversation, from: peer, delivery, missing: missing,
                    isStranger: links[peer]?.isStranger ?? true, at: now)
                if isFirst { planWake() }
                return isWaiting ? .pending : .ignored
            case .duplicate:
                return .duplicate
            case .inadmissible(let operation, let reason):
                note(.operationIgnored(operation, reason))
                return .ignored
            }
        } catch let error as NodeError {
            note(.notStored(error))
            return .notStored
        } catch {
            note(.notJudged(error))
            return .notStored
        }
    }

    /// Notes that the user takes part in a conversation in which they wrote on another of their devices.
    private mutating func noteSpoken(_ operations: [AdmittedOperation], in conversation: ConversationID) {
        let familiarity = context.familiarity
        guard !familiarity.joined.contains(conversation), !familiarity.erased.contains(conversation),
            context.hasSpoken(in: operations)
        else { return }
        takePart(in: conversation)
    }

    /// Writes what operations that came make this node owe the others: none of it stands in the way of what came.
    mutating func writeObligations(in conversation: ConversationID, after admitted: [AdmittedOperation] = []) {
        fetchKeys(in: conversation)
        supplyOwedKeys(of: conversation)
        settleReadMarks(in: conversation, of: Set(admitted.map(\.operation.header.device)))
        guard !context.writesNothing else { return tellBodies(.changed(conversation)) }
        do throws(NodeError) {
            try joinIfOpen(in: conversation)
            if admitted.contains(where: { $0.operation.header.lane == .membership }) {
                try revokeWhereNew(conversation)
                try retractCodes(in: conversation)
            }
            try ratifyIfNeeded(in: conversation)
            try publishKey(in: conversation)
            try complainIfNeeded(in: conversation)
            try answerComplaints(in: conversation)
            try nameFilesLeft(after: admitted, in: conversation)
        } catch {
            note(.notStored(error))
        }
        tellBodies(.changed(conversation))
    }

    /// Judges again what waited for operations that have just come, and then what waited for those.
    ///
    /// In rounds, not by calling itself: thousands of batches may wait, each for the one before. All decisions of a
    /// round are judged at once, since what each changes may cost a lot.
    ///
    /// - Parameter admitted: where what is new is added.
    private mutating func release(in conversation: ConversationID, after admitted: inout [AdmittedOperation]) {
        var sources: Set<PendingBatches.Source> = []
        var dropped: Set<PendingBatches.Source> = []
        var seen = 0
        while seen < admitted.count, !laneExchange.pending.isEmpty {
            let entries = releasePending(in: conversation, after: Set(admitted[seen...].map(\.operation.id)))
            seen = admitted.count
            let areJudged = takeDecisions(of: entries, in: conversation, &admitted)
            for entry in entries {
                sources.insert(entry.source)
                if areJudged, entry.batch.lane == .membership { continue }
                let outcome = take(entry.batch, to: conversation, from: entry.peer, entry.delivery, &admitted)
                if ![.taken, .duplicate, .pending].contains(outcome) { dropped.insert(entry.source) }
            }
        }
        // What was dropped is to be asked for.
        for source in sources.subtracting(dropped).sorted() where !laneExchange.pending.holds(source) {
            replicate(.released(source.peer, conversation, source.lane))
        }
    }

    /// What waited for some operations, and of decisions also what waited for these.
    private mutating func releasePending(
        in conversation: ConversationID, after admitted: Set<OperationID>
    ) -> [PendingBatches.Entry] {
        var (found, news): ([PendingBatches.Entry], Set<OperationID>) = ([], admitted)
        while !news.isEmpty {
            let entries = laneExchange.pending.release(in: conversation, admitted: news)
            found += entries
            news = Set(entries.filter { $0.batch.lane == .membership }.flatMap { $0.batch.operations.map(\.id) })
        }
        return found
    }

    /// Takes the decisions among what waited as if they had come in one batch.
    ///
    /// - Returns: whether they are taken; else each is to be tried by itself.
    private mutating func takeDecisions(
        of entries: [PendingBatches.Entry], in conversation: ConversationID, _ admitted: inout [AdmittedOperation]
    ) -> Bool {
        let decisions = entries.filter { $0.batch.lane == .membership }
        guard decisions.count > 1, let first = decisions.first else { return false }
        let batch = Batch(lane: .membership, operations: decisions.flatMap(\.batch.operations))
        return take(batch, to: conversation, from: first.peer, first.delivery, &admitted) == .taken
    }

    /// Opens a conversation that a peer says we belong to; its log decides whether we do.
    mutating func open(_ conversation: ConversationID, root: ConversationRoot, from peer: PeerHandle? = nil) {
        let isNew = replicas[conversation].map { $0.log.root == .group && root != .group || $0.isOnlyBegun } ?? true
        guard isNew, mayIntroduce(conversation, by: peer) else { return }
        open(Replica(conversation: conversation, root: root))
    }

    private mutating func mayIntroduce(_ conversation: ConversationID, by peer: PeerHandle?) -> Bool {
        guard let peer else { return true }
        return bodyQuota.mayIntroduce(conversation, peer, in: &context)
    }

    /// Forgets a conversation of which somebody told who is gone, and of which nothing came.
    mutating func forget(_ conversation: ConversationID) {
        guard let replica = replicas[conversation], replica.operationCount == 0 else { return }
        // What this user began as well stays theirs.
        if replica.isDirect, context.familiarity.joined.contains(conversation) { return }
        replicas[conversation] = nil
        context.familiarity.joined.remove(conversation)
        bodyQuota.forget(conversation)
        tellReceipts(.forgotten(conversation))
        keyManager.forget(conversation)
        ownDevices.forget(conversation)
        inviteCodes.forget(conversation)
    }

    /// Takes up a direct conversation in which nothing was written: it is replicated from its first message on, so that
    /// nobody is shown one in which nobody said anything.
    mutating func begin(_ replica: Replica) {
        replicas[replica.id] = replica
        tellReceipts(.opened(replica.id))
        show(.conversation(replica.id))
    }

    /// Takes up a conversation: from now on it is replicated.
    ///
    /// - Parameter isByUser: whether this user has just made it.
    mutating func open(_ replica: Replica, isByUser: Bool = false) {
        replicas[replica.id] = replica
        tellReceipts(.opened(replica.id))
        replicate(
            .opened(
                replica.id, replica.log.root, membership: replica.log.membershipFrontier,
                content: replica.log.contentFrontier))
        announce(audience(of: replica), of: replica.id, isByUser: isByUser)
    }

    /// Tells the replicator whom a conversation is shared with.
    ///
    /// - Parameter isByUser: whether that is so by what this user did.
    mutating func announce(
        _ audience: [UserID: MembershipStatus], of conversation: ConversationID, isByUser: Bool = false
    ) {
        // Of a group of which nothing is known yet the audience is empty: whoever announced it may bring it.
        replicate(.audienceChanged(conversation, audience))
        if replicas[conversation].map({ $0.operationCount > 0 }) == true {
            keepFormerStrangers(isByUser: isByUser) { audience[$0] != nil }
            dialResting(of: audience.keys, isByUser: isByUser)
        }
        tellReceipts(.membersChanged(conversation))
        tellCards(.membersChanged(conversation))
    }

    /// The connected people who are out of a conversation for another reason than they were told.
    private func removalProofs(
        in replica: Replica, to audience: [UserID: MembershipStatus]
    ) -> [(peer: PeerHandle, reasons: [OperationID])] {
        // Only where somebody is told of them: they may be many.
        lazy var deciders = replica.group.deciders
        return links.sorted { $0.key < $1.key }.compactMap { peer, link in
            guard let user = link.identity?.device.user, audience[user] == .former else { return nil }
            let reasons = deciders.union(replica.group.expulsions(of: user)).sorted()
            return reasons == link.expulsions[replica.id] ?? [] ? nil : (peer, reasons)
        }
    }

    /// Tells connected people who are out of a conversation why, whenever that is something new.
    mutating func sendRemovalProofs(in replica: Replica, to audience: [UserID: MembershipStatus]) {
        for (peer, reasons) in removalProofs(in: replica, to: audience) {
            links[peer]?.expulsions[replica.id] = reasons
            replicate(.expelled(peer, replica.id))
        }
    }
}
