import Conversations
import OperationLog
import Replication

extension NodeCore {
    /// Verifies, judges, commits and shows a batch that a peer sent.
    mutating func admit(_ bytes: [UInt8], to conversation: ConversationID, lane: Lane, from peer: PeerHandle) {
        let batch: Batch
        do throws(MalformedBytes) {
            if let prepared = preparedBatch {
                batch = try prepared.get()
            } else {
                batch = try Batch(decoding: bytes, of: conversation)
                guard batch.lane == lane else { throw .invalid(field: "lane") }
            }
        } catch {
            note(.batchRefused(error))
            judged(.refused, conversation, lane, peer, bytes.count)
            return
        }
        judged(take(batch, to: conversation, from: peer), conversation, lane, peer, bytes.count)
    }

    private mutating func judged(
        _ outcome: Replicator.Outcome, _ conversation: ConversationID, _ lane: Lane, _ peer: PeerHandle, _ count: Int
    ) {
        replicate(.judged(peer, conversation, lane, bytes: count, outcome: outcome))
    }

    private mutating func take(_ batch: Batch, to conversation: ConversationID, from peer: PeerHandle)
        -> Replicator.Outcome
    {
        guard let replica = replicas[conversation] else { return .ignored }
        var log = replica.log
        do {
            switch try log.admit(batch, using: storage.index(of: conversation)) {
            case .admitted(let operations):
                try commit(operations, log: log, from: .peer(peer))
                release(in: conversation, after: operations)
                settleDebts(in: conversation)
                return .taken
            case .pending(let missing):
                let isWaiting = pending.insert(batch, of: conversation, from: peer, missing: missing, at: now)
                return isWaiting ? .pending : .ignored
            case .duplicate:
                return .taken
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

    /// Writes what operations that came make this node owe the others: none of it stands in the way of what came.
    mutating func settleDebts(in conversation: ConversationID) {
        do throws(NodeError) {
            try joinIfWelcome(in: conversation)
            try takeBackCodes(in: conversation)
            try ratifyIfOwed(in: conversation)
            try publishKey(in: conversation)
            try complainIfOwed(in: conversation)
            try answerComplaints(in: conversation)
        } catch {
            note(.notStored(error))
        }
        askForBodies(in: conversation)
    }

    /// Judges again what waited for operations that have just come.
    private mutating func release(in conversation: ConversationID, after admitted: [AdmittedOperation]) {
        guard !pending.isEmpty else { return }
        let ids = Set(admitted.map(\.operation.id))
        for entry in pending.release(in: conversation, admitted: ids) {
            _ = take(entry.batch, to: conversation, from: entry.peer)
        }
    }

    /// Streams what a peer lacks: batch after batch, each when the one before was taken.
    mutating func serve(
        _ peer: PeerHandle, conversation: ConversationID, lane: Lane, beyond known: Replicator.Known?,
        isRestricted: Bool
    ) {
        let key = ServingKey(peer: peer, conversation: conversation, lane: lane)
        var batch: Batch?
        if isRestricted {
            // All of it at once, so the next call ends the answer.
            let user = links[peer]?.identity?.device.user
            if let known, let user { batch = replicas[conversation]?.farewell(to: user, beyond: known) }
            return replicate(.served(peer, conversation, lane, batch: batch?.encoded))
        }
        do throws(StoreError) {
            if let known {
                var chains = known.chains
                if known.othersAreHeld {
                    for device in replicas[conversation]?.log.frontier(of: lane).tips.keys ?? [:].keys
                    where chains[device] == nil { chains[device] = .through(.max) }
                }
                cursors[key] = try storage.serve(lane, of: conversation, beyond: chains)
            }
            if var cursor = cursors[key] {
                batch = try storage.nextBatch(&cursor)
                cursors[key] = batch == nil ? nil : cursor
                if let whole = batch, lane == .content {
                    let answer = closed(whole, of: conversation, to: peer)
                    handOut(answer.operations, of: conversation)
                    batch = answer
                }
            }
        } catch {
            note(.notServed(error))
            cursors[key] = nil
        }
        replicate(.served(peer, conversation, lane, batch: batch?.encoded))
    }

    /// A batch without the bodies that are not for a peer.
    private mutating func closed(_ batch: Batch, of conversation: ConversationID, to peer: PeerHandle) -> Batch {
        guard var replica = replicas[conversation], let reader = links[peer]?.identity?.device.id else { return batch }
        var heads: [OperationID] = []
        var isReader = false
        let closed = batch.withoutBodies { operation in
            if operation.header.membershipHeads != heads {
                heads = operation.header.membershipHeads
                isReader = replica.view(at: heads)?.contains(reader) == true
            }
            return operation.header.type.isClosed && !isReader
        }
        replicas[conversation] = replica
        return closed
    }

    /// Opens a conversation that a peer says we belong to; its log decides whether we do.
    mutating func open(_ conversation: ConversationID, root: ConversationRoot, from peer: PeerHandle? = nil) {
        guard replicas[conversation] == nil, peer.map({ mayBring(conversation, $0) }) ?? true else { return }
        open(Replica(conversation: conversation, root: root))
    }

    /// Forgets a conversation of which somebody told who is gone, and of which nothing came.
    mutating func forget(_ conversation: ConversationID) {
        guard replicas[conversation]?.operationCount == 0 else { return }
        replicas[conversation] = nil
        touched.remove(conversation)
        receipts[conversation] = nil
        receiptPlans[conversation] = nil
        wantedPlaces[conversation] = nil
        unpublished.remove(conversation)
        codeEnds[conversation] = nil
    }

    /// Takes up a conversation: from now on it is replicated.
    mutating func open(_ replica: Replica) {
        replicas[replica.id] = replica
        if receipts[replica.id] == nil { receipts[replica.id] = Receipts(of: device.id) }
        replicate(
            .opened(
                replica.id, replica.log.root, membership: replica.log.membershipFrontier,
                content: replica.log.contentFrontier))
        announce(audience(of: replica), of: replica.id)
    }

    /// Tells the replicator whom a conversation is shared with.
    mutating func announce(_ audience: [UserID: Group.Standing], of conversation: ConversationID) {
        // Of a group of which nothing is known yet the audience is empty: whoever announced it may bring it.
        replicate(.audienceChanged(conversation, audience.mapValues(Standing.init)))
        if replicas[conversation].map({ $0.operationCount > 0 }) == true { befriend { audience[$0] != nil } }
        holdReceipts(of: conversation)
    }

    /// The connected people who are out of a conversation for another reason than they were told.
    private func farewells(
        in replica: Replica, to audience: [UserID: Group.Standing]
    ) -> [(peer: PeerHandle, reasons: [OperationID])] {
        let deciders = replica.group.deciders
        return links.sorted { $0.key < $1.key }.compactMap { peer, link in
            guard let user = link.identity?.device.user, audience[user] == .former else { return nil }
            let reasons = deciders.union(replica.group.expulsions(of: user)).sorted()
            return reasons == link.expulsions[replica.id] ?? [] ? nil : (peer, reasons)
        }
    }

    /// Tells connected people who are out of a conversation why, whenever that is something new.
    mutating func bidFarewells(in replica: Replica, to audience: [UserID: Group.Standing]) {
        for (peer, reasons) in farewells(in: replica, to: audience) {
            links[peer]?.expulsions[replica.id] = reasons
            replicate(.expelled(peer, replica.id))
        }
    }
}
