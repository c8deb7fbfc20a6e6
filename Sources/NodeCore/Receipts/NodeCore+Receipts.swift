import Conversations
import OperationLog
import Replication

/// Says what this device received and its user read, keeps what others say, and passes it on.
extension NodeCore {
    // MARK: - Reading

    /// Notes that the user has read everything that is here of a conversation.
    ///
    /// - Throws: `conversation_not_found`, `not_accepted`, `disk_full`, `storage_failed`.
    public mutating func markRead(_ conversation: ConversationID, at moment: Moment) throws(NodeError) {
        self.moment = moment
        let replica = try replica(conversation)
        try checkConsent(in: replica)
        let frontier = replica.log.contentFrontier
        do throws(StoreError) {
            try storage.markRead(frontier.tips.compactMapValues { $0.last?.sequenceNumber }, in: conversation)
        } catch {
            storageTrouble = error
            throw NodeError(error)
        }
        storageTrouble = nil
        planReceipts(of: conversation)
        show(.conversation(conversation))
    }

    /// Whether others learn what the user reads in a conversation: unless he switched it off there, or everywhere. Who does not show
    /// what he reads is not shown what others read.
    public func sharesReads(in conversation: ConversationID) -> Bool {
        sharesReads && privateState(of: conversation).sharesReads
    }

    /// Whether others learn what the user reads, where he said nothing else.
    public var sharesReads: Bool { privateState(of: ownConversation).sharesReads }

    /// Where what the user keeps for himself about everything is kept: a direct conversation with himself.
    var ownConversation: ConversationID { context.ownConversation }

    /// Switches on or off that others learn what the user reads. Switched off, they forget what they knew of it.
    ///
    /// - Throws: `disk_full`, `storage_failed`.
    public mutating func setSharesReads(_ shares: Bool, at moment: Moment) throws(NodeError) {
        self.moment = moment
        guard shares != sharesReads else { return }
        var change = PrivateChange()
        change.sharesReads = shares
        try keep(change, of: ownConversation)
        for conversation in replicas.keys.sorted() { planReceipts(of: conversation) }
        show(.person(me))
    }

    // MARK: - Asking

    /// What is known of whom an own message reached.
    public mutating func receipts(for message: Operation, in conversation: ConversationID) -> MessageReceipts {
        guard var replica = replicas[conversation], let known = receipts[conversation] else { return .none }
        defer { replicas[conversation] = replica }
        return replica.group.receipts(
            for: message, by: known, showsReads: sharesReads(in: conversation), in: replica.log.membership)
    }

    /// Whether somebody for whom it was written is known to hold all that this device said in a conversation.
    public func isHeldElsewhere(_ conversation: ConversationID) -> Bool {
        receiptsOfLast(in: conversation).map { $0.phase != .pending } ?? true
    }

    /// Who of those for whom it was written has read all that this device said in a conversation, as far as the user is told.
    public func thoseWhoRead(_ conversation: ConversationID) -> Set<UserID> {
        Set((receiptsOfLast(in: conversation)?.read ?? []).map(\.user))
    }

    /// What is known of whom the last thing reached that this device said; nil if it said nothing.
    private func receiptsOfLast(in conversation: ConversationID) -> MessageReceipts? {
        guard var replica = replicas[conversation], let known = receipts[conversation],
            let last = lastSaid(in: replica)
        else { return nil }
        return replica.group.receipts(
            for: last, by: known, showsReads: sharesReads(in: conversation), in: replica.log.membership)
    }

    /// The last message of this device or annotation by it. Keys that follow it are for those who are there now: they tell nothing of
    /// whom it reached.
    func lastSaid(in replica: Replica) -> Operation? {
        var next = replica.log.contentFrontier.tips[device.id]?.last?.id
        while let id = next, let operation = try? storage.operation(id, of: replica.id) {
            if operation.header.type.isClosed { return operation }
            next = operation.header.previous
        }
        return nil
    }

    /// How far this device's own chain goes.
    private func written(in replica: Replica) -> UInt64 {
        replica.log.contentFrontier.sequenceNumber(of: device.id)
    }

    // MARK: - Saying

    /// Plans to say what is here and was read, and to store what others said.
    mutating func planReceipts(of conversation: ConversationID) {
        guard receiptPlans[conversation]?.due == nil else { return }
        var plan = receiptPlans[conversation] ?? ReceiptPlan()
        let due = plan.plan(at: now)
        receiptPlans[conversation] = plan
        effects.append(.wake(at: due))
    }

    /// Does what is due.
    mutating func settleReceipts() {
        for (conversation, plan) in receiptPlans.sorted(by: { $0.key < $1.key }) {
            guard let due = plan.due, due <= now else { continue }
            var plan = plan
            plan.begin(at: now)
            receiptPlans[conversation] = plan
            do throws(StoreError) {
                try settleReceipts(of: conversation)
            } catch {
                storageTrouble = error
                note(.notStored(NodeError(error)))
                plan.postpone(at: now)
                receiptPlans[conversation] = plan
            }
        }
    }

    private mutating func settleReceipts(of conversation: ConversationID) throws(StoreError) {
        guard let replica = replicas[conversation], var known = receipts[conversation] else { return }
        let own = try ownReceipt(in: replica, after: known[device.id])
        if let own { known.take(own, at: moment.wall, written: written(in: replica)) }
        let unsaved = (receiptPlans[conversation]?.unsaved ?? []).union(own == nil ? [] : [device.id])
        // Before anybody hears of it: a device that forgot what it said could say less under the same version.
        try save(unsaved, known, of: conversation)
        receipts[conversation] = known
        holdReceipts(of: conversation, new: own.map { [$0.encoded] } ?? [])
    }

    private mutating func save(
        _ unsaved: Set<DeviceID>, _ known: Receipts?, of conversation: ConversationID
    ) throws(StoreError) {
        let kept = unsaved.sorted().compactMap { known?.kept[$0] }
        if !kept.isEmpty {
            try storage.save(kept, of: conversation)
            storageTrouble = nil
        }
        receiptPlans[conversation]?.unsaved = []
    }

    /// Tells the replicator which receipts count.
    mutating func holdReceipts(of conversation: ConversationID, new: [[UInt8]] = []) {
        replicate(.receiptsHeld(conversation, countingReceipts(of: conversation).map(\.receiptVersion), new: new))
    }

    /// The receipts of the members of now, by device.
    package func countingReceipts(of conversation: ConversationID) -> [ReceiptRecord] {
        guard let group = replicas[conversation]?.group else { return [] }
        return (receipts[conversation]?.kept ?? [:]).values.map(\.record).filter { group.counts($0.device) }
            .sorted { $0.device.id < $1.device.id }
    }

    /// What this device says now; nil if it has said so already, or is no member's.
    private mutating func ownReceipt(
        in replica: Replica, after last: ReceiptRecord?
    ) throws(StoreError) -> ReceiptRecord? {
        guard !isCopied, replica.group.counts(device) else { return nil }
        let marks = try ownMarks(in: replica)
        guard marks != last?.marks ?? [:] else { return nil }
        let version = max(last?.version ?? 0, UInt64(moment.wall.milliseconds) - 1)
        // Only its own signature could have led there.
        guard version < .max else { return nil }
        return ReceiptRecord(
            by: keys.author, in: replica.id, version: version + 1, time: moment.wall, marks: marks)
    }

    private mutating func ownMarks(in replica: Replica) throws(StoreError) -> [DeviceID: ReceiptRecord.Mark] {
        let read = sharesReads(in: replica.id) ? try storage.readMarks(in: replica.id) : [:]
        let wanted = try wantedNumbers(in: replica)
        var marks: [DeviceID: ReceiptRecord.Mark] = [:]
        let chains = ReceiptRecord.chains(
            among: replica.log.contentFrontier.devices.filter { $0 != device.id },
            first: replica.group.countingDevices)
        for chain in chains {
            // Who has no room for a text has not received it. What follows it in its chain has none either.
            var received = min(
                replica.log.contentFrontier.sequenceNumber(of: chain), replica.shares.receivable(of: chain))
            // What ends with a header whose body has not come is not here yet.
            while received > 0, wanted[chain]?.contains(received) == true { received -= 1 }
            guard received > 0 else { continue }
            marks[chain] = ReceiptRecord.Mark(received: received, read: read[chain] ?? 0)
        }
        return marks
    }

    /// Where the operations stand whose bodies have not come.
    ///
    /// - Complexity: O(*n*) in what is wanted, and a look into the storage for each that was not wanted the last time: somebody may hand on a
    ///   hundred thousand headers and never a body.
    private mutating func wantedNumbers(in replica: Replica) throws(StoreError) -> [DeviceID: Set<UInt64>] {
        let known = wantedPlaces[replica.id] ?? [:]
        var places: [OperationID: WantedPlace] = [:]
        var numbers: [DeviceID: Set<UInt64>] = [:]
        for id in replica.wanted {
            let place: WantedPlace
            if let before = known[id] {
                place = before
            } else {
                guard let header = try storage.operation(id, of: replica.id)?.header else { continue }
                place = WantedPlace(device: header.device, sequenceNumber: header.sequenceNumber)
            }
            places[id] = place
            numbers[place.device, default: []].insert(place.sequenceNumber)
        }
        wantedPlaces[replica.id] = places.isEmpty ? nil : places
        return numbers
    }

    // MARK: - Hearing

    /// Bytes of receipts in one message that a node aims for.
    private static let messageBytes = 256 * 1024

    /// Takes in receipts that a peer sent; those of people who are no members are passed over.
    mutating func take(_ encoded: [[UInt8]], receiptsOf conversation: ConversationID, from peer: PeerHandle) {
        guard let replica = replicas[conversation], var known = receipts[conversation] else { return }
        let (group, written) = (replica.group, written(in: replica))
        var isOwnOutdated = false
        var told: [UserID] = []
        var taken: Set<DeviceID> = []
        for bytes in encoded {
            let record: ReceiptRecord
            do throws(MalformedBytes) {
                record = try ReceiptRecord(verifying: bytes, of: conversation)
            } catch {
                note(.receiptRefused(error))
                guard error.isLie else { continue }
                return replicate(.offended(peer, reason: "malformed receipt: \(error)"))
            }
            guard group.counts(record.device) else { continue }
            let change = known.take(record, at: moment.wall, written: written)
            guard change != .none else { continue }
            taken.insert(record.device.id)
            if record.device.id == device.id { isOwnOutdated = true }
            if change == .ofOwn, record.device.user != me { told.append(record.device.user) }
        }
        guard !taken.isEmpty else { return }
        // A device put back from a backup meets what it said before, and goes on from there.
        if isOwnOutdated { note(.receiptRelearned(conversation)) }
        receipts[conversation] = known
        receiptPlans[conversation, default: ReceiptPlan()].unsaved.formUnion(taken)
        planReceipts(of: conversation)
        if !told.isEmpty { keepAndShow(Set(told).sorted(), receiptsOf: conversation) }
    }

    /// Shows what this user waits for, and first makes it durable: what was said to have come stays so. What only others wait for is stored
    /// with the next receipt of this device, and asked for again if that is lost.
    private mutating func keepAndShow(_ users: [UserID], receiptsOf conversation: ConversationID) {
        do throws(StoreError) {
            try save(receiptPlans[conversation]?.unsaved ?? [], receipts[conversation], of: conversation)
        } catch {
            storageTrouble = error
            note(.notStored(NodeError(error)))
        }
        show(.receipts(users, in: conversation))
    }

    /// Sends a peer the receipts that are newer than what it names.
    mutating func find(receiptsOf conversation: ConversationID, beyond versions: [ReceiptVersion], for peer: PeerHandle)
    {
        let held = Dictionary(versions.map { ($0.device, $0) }) { first, _ in first }
        var part: [[UInt8]] = []
        var bytes = 0
        for record in countingReceipts(of: conversation) {
            if let theirs = held[record.device.id], !record.receiptVersion.supersedes(theirs) { continue }
            part.append(record.encoded)
            bytes += record.encoded.count
            guard bytes >= Self.messageBytes || part.count == PeerMessage.receiptLimit else { continue }
            replicate(.receiptsFound(peer, conversation, part))
            (part, bytes) = ([], 0)
        }
        replicate(.receiptsFound(peer, conversation, part))
    }
}

extension ReceiptRecord {
    /// How replicas name the record to each other.
    var receiptVersion: ReceiptVersion { ReceiptVersion(of: device.id, version: version, digest: digest) }
}
