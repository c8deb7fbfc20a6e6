import Conversations
import OperationLog
import Replication
import Storage
import Time

/// Says what this device received and its user read, and keeps what others say of theirs.
///
/// A receipt goes to those who can see it: the authors whose messages it is about. So one message costs a group of *n*
/// as many receipts, and not *n*² of them.
struct ReceiptExchange {
    /// What happens.
    enum Event {
        /// Time passed.
        case tick
        /// A conversation is replicated from now on.
        case opened(ConversationID)
        /// A conversation of which nothing came is forgotten.
        case forgotten(ConversationID)
        /// The user left a conversation and erased it.
        case erased(ConversationID)
        /// Something came, or was read, that this device is to say.
        case changed(ConversationID)
        /// Others are members of a conversation than before.
        case membersChanged(ConversationID)
        /// Both sides of a connection recognize a conversation.
        case shared(PeerHandle, ConversationID)
        /// A connection is over.
        case lost(PeerHandle)
        /// So much that is live waits on a connection that nothing is added, or no more.
        case congested(PeerHandle, isCongested: Bool)
        /// A peer says something of receipts.
        case heard(ReceiptMessage, of: ConversationID, from: PeerHandle)
    }

    /// Bytes of receipts in one message that a node aims for.
    static let messageBytes = 256 * 1024
    /// Bytes that one message of a reader makes this node send others at once, at most.
    static let maximumRelayedBytes = 1024 * 1024

    /// What the devices of each conversation received and their users read.
    var known: [ConversationID: Receipts] = [:]
    /// What is still to be done about the receipts of each conversation.
    var plans: [ConversationID: ReceiptPlan] = [:]
    /// The numbers in this device's own chains of what it has disclosed to others since it started.
    private var disclosedRanges: [ConversationID: RangeSet<UInt64>] = [:]
    /// What is known of those who recognize a conversation on a connection.
    var comparisons: [PeerHandle: [ConversationID: ReceiptComparison]] = [:]
    /// The connections on which nothing is sent now.
    var congested: Set<PeerHandle> = []
    /// When something is to be done about a peer: only where there is.
    var due: [ReceiptComparison.ID: Instant] = [:]
    /// What waits for those who are away.
    var carried: [ConversationID: CarriedReceipts] = [:]
    var requests: [MachineRequest] = []

    /// When there is something to do.
    var nextDeadline: Instant? {
        [plans.values.lazy.compactMap(\.next).min(), due.values.min()].compactMap { $0 }.min()
    }

    /// Takes in what happened, and returns what is to be done about it, in order.
    mutating func handle(_ event: Event, in context: NodeContext) -> [MachineRequest] {
        switch event {
        case .tick:
            flush(in: context)
            flushComparisons(in: context)
        case .opened(let conversation):
            if known[conversation] == nil { known[conversation] = Receipts(of: context.device.id) }
        case .forgotten(let conversation): forget(conversation)
        case .erased(let conversation):
            forget(conversation)
            known[conversation] = Receipts(of: context.device.id)
        case .changed(let conversation): plan(conversation, at: context.now)
        case .membersChanged(let conversation): meetMembers(of: conversation, in: context)
        case .shared(let peer, let conversation): share(conversation, with: peer, in: context)
        case .lost(let peer): lose(peer, in: context)
        case .congested(let peer, let isCongested): note(isCongested: isCongested, of: peer, in: context)
        case .heard(.digest(let digest), let conversation, let peer):
            hear(digest, of: conversation, from: peer, in: context)
        case .heard(.versions(let versions), let conversation, let peer):
            answer(versions, of: conversation, from: peer, in: context)
        case .heard(.receipts(let encoded, let absent), let conversation, let peer):
            take(encoded, of: conversation, from: peer, absent: absent, in: context)
        }
        defer { requests = [] }
        return requests
    }

    private mutating func forget(_ conversation: ConversationID) {
        known[conversation] = nil
        plans[conversation] = nil
        carried[conversation] = nil
        for peer in comparisons.keys { comparisons[peer]?[conversation] = nil }
    }

    /// The receipts of the members of now, by device.
    func counting(in conversation: ConversationID, _ context: NodeContext) -> [ReceiptRecord] {
        guard let counting = context.replicas[conversation]?.group.countingDevices else { return [] }
        return (known[conversation]?.kept ?? [:]).values.map(\.record).filter { counting.contains($0.device.id) }
            .sorted { $0.device.id < $1.device.id }
    }

    // MARK: - What receipts will tell

    /// Whether this device has disclosed what it wrote to somebody since it started.
    func isDisclosed(_ operation: Operation, in conversation: ConversationID) -> Bool {
        disclosedRanges[conversation]?.contains(operation.header.sequenceNumber) == true
    }

    /// Notes that this device discloses what it wrote.
    mutating func noteDisclosure(of operation: Operation, in conversation: ConversationID) {
        let number = operation.header.sequenceNumber
        disclosedRanges[conversation, default: RangeSet()].insert(contentsOf: number..<number + 1)
    }

    // MARK: - Saying

    /// Plans to say what is here and was read, and to store what others said.
    private mutating func plan(_ conversation: ConversationID, at now: Instant) {
        guard plans[conversation]?.due == nil else { return }
        var plan = plans[conversation] ?? ReceiptPlan()
        let due = plan.plan(at: now)
        plans[conversation] = plan
        requests.append(.effect(.wake(at: due)))
    }

    /// Does what is due.
    private mutating func flush(in context: NodeContext) {
        for (conversation, plan) in plans.sorted(by: { $0.key < $1.key }) {
            guard let due = plan.due, due <= context.now else { continue }
            var plan = plan
            plan.begin(at: context.now)
            plans[conversation] = plan
            do throws(StoreError) {
                try flush(conversation, in: context)
            } catch {
                failed(error)
                plan.postpone(at: context.now)
                plans[conversation] = plan
            }
        }
    }

    private mutating func flush(_ conversation: ConversationID, in context: NodeContext) throws(StoreError) {
        guard let replica = context.replicas[conversation], var known = known[conversation] else { return }
        let device = context.device.id
        let last = known[device]
        let believed = known.believe(upTo: context.written(in: replica), at: context.moment.wall)
        let own = try ownReceipt(in: replica, after: last, context)
        if let own { known.take(own, at: context.moment.wall, written: context.written(in: replica)) }
        let unsaved = (plans[conversation]?.unsaved ?? []).union(believed).union(own == nil ? [] : [device])
        // Before anybody hears of it: a device that forgot what it said could say less under the same version.
        try save(unsaved, known, of: conversation, context)
        self.known[conversation] = known
        let readers = Set(believed.lazy.compactMap { known[$0]?.device.user }).sorted()
        if !readers.isEmpty { requests.append(.effect(.show(.receipts(readers, in: conversation)))) }
        if let own { send(own, after: last, in: replica, context) }
    }

    private mutating func save(
        _ unsaved: Set<DeviceID>, _ known: Receipts?, of conversation: ConversationID, _ context: NodeContext
    ) throws(StoreError) {
        let kept = unsaved.sorted().compactMap { known?.kept[$0] }
        if !kept.isEmpty {
            try context.storage.save(kept, of: conversation)
            requests.append(.stored)
        }
        plans[conversation]?.unsaved = []
    }

    private mutating func failed(_ error: StoreError) { requests.append(.storageFailed(error)) }

    /// What this device says now; nil if it has said so already, or is no member's.
    private mutating func ownReceipt(
        in replica: Replica, after last: ReceiptRecord?, _ context: NodeContext
    ) throws(StoreError) -> ReceiptRecord? {
        guard !context.writesNothing, replica.group.counts(context.device) else { return nil }
        let marks = try ownMarks(in: replica, context)
        guard marks != last?.marks ?? [:] else { return nil }
        let time = context.moment.wall
        let version = max(last?.version ?? 0, UInt64(time.milliseconds) - 1)
        // Only its own signature could have led there.
        guard version < .max else { return nil }
        return ReceiptRecord(by: context.keys.author, in: replica.id, version: version + 1, time: time, marks: marks)
    }

    private mutating func ownMarks(
        in replica: Replica, _ context: NodeContext
    ) throws(StoreError) -> [DeviceID: ReceiptRecord.Mark] {
        let read = context.sharesReads(in: replica.id) ? try context.storage.readMarks(in: replica.id) : [:]
        var marks: [DeviceID: ReceiptRecord.Mark] = [:]
        let chains = ReceiptRecord.chains(
            among: replica.log.contentFrontier.devices.filter { $0 != context.device.id },
            first: replica.group.countingDevices)
        for chain in chains {
            // Whoever has no room for a text has not received it. What follows it in its chain has none either.
            var received = min(
                replica.log.contentFrontier.sequenceNumber(of: chain), replica.quotas.receivable(of: chain))
            // What ends with a header whose body has not come is not here yet.
            while received > 0, replica.wanted.contains(received, writtenBy: chain) { received -= 1 }
            guard received > 0 else { continue }
            marks[chain] = ReceiptRecord.Mark(received: received, read: read[chain] ?? 0)
        }
        return marks
    }

    // MARK: - Hearing

    /// Takes in receipts that a peer sent; those of people who are no members are passed over.
    private mutating func take(
        _ encoded: [[UInt8]], of conversation: ConversationID, from peer: PeerHandle, absent: [DeviceID],
        in context: NodeContext
    ) {
        guard let replica = context.replicas[conversation], var known = known[conversation] else { return }
        let (group, written) = (replica.group, context.written(in: replica))
        let sender = context.links[peer]?.identity?.device.id
        let mine = group.devices(of: context.me)
        var (isFromReader, isForUser) = (false, false)
        var isOwnOutdated = false
        var outdated: ReceiptRecord?
        var told: [UserID] = []
        var taken: Set<DeviceID> = []
        for bytes in encoded {
            let record: ReceiptRecord
            do throws(MalformedBytes) {
                let device = try ReceiptRecord.device(of: bytes)
                if device.id == sender { isFromReader = true }
                // What cannot matter costs no signature check.
                guard group.counts(device), known[device.id]?.encoded != bytes else { continue }
                record = try ReceiptRecord(verifying: bytes, of: conversation)
            } catch {
                requests.append(.effect(.note(.receiptRefused(error))))
                guard error.isOffense else { continue }
                return requests.append(.replicate(.offended(peer, reason: "malformed receipt: \(error)")))
            }
            let before = known[record.device.id]
            let change = known.take(record, at: context.moment.wall, written: written)
            if record.device.id == sender, let before, before.supersedes(record) { outdated = before }
            guard change != .none else { continue }
            isForUser = isForUser || record.marks(about: mine) != before?.marks(about: mine) ?? [:]
            taken.insert(record.device.id)
            if record.device.id == context.device.id { isOwnOutdated = true }
            if change == .ofOwn, record.device.user != context.me { told.append(record.device.user) }
        }
        self.known[conversation] = known
        if let outdated { giveBack(outdated, to: peer, in: conversation, at: context.now) }
        if isFromReader, let sender, let record = known[sender], group.counts(record.device) {
            carry(record, isNew: taken.contains(sender), from: peer, to: absent, in: replica, context)
        }
        guard !taken.isEmpty else { return }
        if isOwnOutdated { relearn(conversation, at: context.now) }
        plans[conversation, default: ReceiptPlan()].unsaved.formUnion(taken)
        plan(conversation, at: context.now)
        noteTaken(from: peer, in: replica, isForUser: isForUser, context)
        if !told.isEmpty { keepAndShow(Set(told).sorted(), of: conversation, context) }
    }

    /// Gives a peer a later receipt of its own: put back to an earlier state, it would go on saying what nobody takes.
    private mutating func giveBack(
        _ record: ReceiptRecord, to peer: PeerHandle, in conversation: ConversationID, at now: Instant
    ) {
        guard !congested.contains(peer), comparisons[peer]?[conversation]?.budgets.returns.take(at: now) == true else {
            return
        }
        send([record], to: ReceiptComparison.ID(peer: peer, conversation: conversation))
    }

    /// A device put back from a backup meets what it said before, and goes on from there. What it sent meanwhile nobody
    /// took.
    ///
    /// It may have no more to say than it said then. So who lost that in the meantime would wait for it in vain:
    /// everybody is told what is held, after a new receipt of this device has had time to go.
    private mutating func relearn(_ conversation: ConversationID, at now: Instant) {
        for peer in comparisons.keys.sorted() {
            guard comparisons[peer]?[conversation] != nil else { continue }
            comparisons[peer]?[conversation]?.sent = [:]
            comparisons[peer]?[conversation]?.comparison.owe(at: now, notBefore: now + ReceiptComparison.grace)
            plan(ReceiptComparison.ID(peer: peer, conversation: conversation))
        }
        requests.append(.effect(.note(.receiptRelearned(conversation))))
    }

    /// Shows what this user waits for, and first makes it durable: what was said to have come stays so. What only
    /// others wait for is stored with the next receipt of this device.
    private mutating func keepAndShow(
        _ users: [UserID], of conversation: ConversationID, _ context: NodeContext
    ) {
        do throws(StoreError) {
            try save(plans[conversation]?.unsaved ?? [], known[conversation], of: conversation, context)
        } catch {
            failed(error)
        }
        requests.append(.effect(.show(.receipts(users, in: conversation))))
    }
}
