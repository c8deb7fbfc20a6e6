import Conversations
import OperationLog
import Replication
import Storage
import Time

/// What the node's owner and its commands ask of ``ReceiptExchange``.
extension NodeCore {
    /// Tells the receipts what happened, and carries out what they ask for.
    mutating func tellReceipts(_ event: ReceiptExchange.Event) {
        carryOut(receiptExchange.handle(event, in: context))
    }

    /// What the devices of each conversation received and their users read.
    public internal(set) var receipts: [ConversationID: Receipts] {
        get { receiptExchange.known }
        set { receiptExchange.known = newValue }
    }

    /// The receipts of the members of now, by device.
    package func effectiveReceipts(of conversation: ConversationID) -> [ReceiptRecord] {
        receiptExchange.counting(in: conversation, context)
    }

    // MARK: - Reading

    /// Notes that the user has read what is here of a conversation.
    ///
    /// - Parameter place: How far in the order of messages; nil for all of it.
    /// - Throws: `conversation_not_found`, `not_accepted`, `disk_full`, `storage_failed`.
    public mutating func markRead(
        _ conversation: ConversationID, upTo place: MessagePosition? = nil, at moment: Moment
    ) throws(NodeError) {
        self.moment = moment
        let replica = try replica(conversation)
        try checkConsent(in: replica)
        let frontier = replica.log.contentFrontier
        do throws(StoreError) {
            var marks = frontier.tips.compactMapValues { $0.last?.sequenceNumber }
            if let place {
                for (device, first) in try storage.firstUnread(behind: place, in: conversation) {
                    marks[device] = first - 1
                }
            }
            try storage.markRead(marks, in: conversation)
            if !marks.isEmpty { takePart(in: conversation) }
        } catch {
            lastStorageError = error
            throw NodeError(error)
        }
        lastStorageError = nil
        tellReceipts(.changed(conversation))
        tellReadMarks(of: conversation)
        show(.conversation(conversation))
    }

    /// Whether others learn what the user reads in a conversation: unless they switched it off there, or everywhere.
    /// Whoever does not show what they read is not shown what others read.
    public func sharesReads(in conversation: ConversationID) -> Bool { context.sharesReads(in: conversation) }

    /// Whether others learn what the user reads, where they said nothing else.
    public var sharesReads: Bool { context.sharesReads }

    /// Where what the user keeps to themselves about everything is kept.
    var ownConversation: ConversationID { context.ownConversation }

    /// Switches on or off that others learn what the user reads. Switched off, they forget what they knew of it.
    ///
    /// - Throws: `disk_full`, `storage_failed`.
    public mutating func setSharesReads(_ shares: Bool, at moment: Moment) throws(NodeError) {
        self.moment = moment
        guard shares != sharesReads else { return }
        var change = ConversationPreferencesUpdate()
        change.sharesReads = shares
        try keep(change, of: ownConversation)
        for conversation in replicas.keys.sorted() { tellReceipts(.changed(conversation)) }
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

    /// Whether somebody else is known to hold all that this device said and decided in a conversation. What has failed
    /// waits for nobody.
    public func isHeldElsewhere(_ conversation: ConversationID) -> Bool {
        guard areDecisionsHeldElsewhere(conversation) else { return false }
        guard let receipts = receiptsOfLast(in: conversation), receipts.phase == .pending else { return true }
        guard var replica = replicas[conversation], let last = context.lastSaid(by: device.id, in: replica) else {
            return true
        }
        return replica.isCutOff(last, in: storage)
    }

    /// Whether a message of this device can reach nobody any more: its user was taken out by somebody who had not seen
    /// it, and nobody is known to have it.
    public mutating func hasFailed(_ message: Operation, in conversation: ConversationID) -> Bool {
        message.author.id == device.id && isCutOff(message, in: conversation)
            && receipts(for: message, in: conversation).phase == .pending
    }

    /// The recipients who have read everything that this device wrote in a conversation, according to the receipts that
    /// they share with the user.
    public func readers(of conversation: ConversationID) -> Set<UserID> {
        Set((receiptsOfLast(in: conversation)?.read ?? []).map(\.user))
    }

    /// The receipts for the last message of this device; nil if it wrote none.
    private func receiptsOfLast(in conversation: ConversationID) -> MessageReceipts? {
        guard var replica = replicas[conversation], let known = receipts[conversation],
            let last = context.lastSaid(by: device.id, in: replica)
        else { return nil }
        return replica.group.receipts(
            for: last, by: known, showsReads: sharesReads(in: conversation), in: replica.log.membership)
    }
}
