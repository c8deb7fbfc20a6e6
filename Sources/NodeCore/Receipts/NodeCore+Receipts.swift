import Conversations
import OperationLog
import Replication

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
    package func countingReceipts(of conversation: ConversationID) -> [ReceiptRecord] {
        receiptExchange.counting(in: conversation, context)
    }

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
            lastStorageError = error
            throw NodeError(error)
        }
        lastStorageError = nil
        tellReceipts(.changed(conversation))
        show(.conversation(conversation))
    }

    /// Whether others learn what the user reads in a conversation: unless they switched it off there, or everywhere. Whoever does not show
    /// what they read is not shown what others read.
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

    /// Whether somebody for whom it was written is known to hold all that this device said in a conversation.
    public func isHeldElsewhere(_ conversation: ConversationID) -> Bool {
        receiptsOfLast(in: conversation).map { $0.phase != .pending } ?? true
    }

    /// Who of those for whom it was written has read all that this device said in a conversation, as far as the user is told.
    public func readers(of conversation: ConversationID) -> Set<UserID> {
        Set((receiptsOfLast(in: conversation)?.read ?? []).map(\.user))
    }

    /// What is known of whom the last thing reached that this device said; nil if it said nothing.
    private func receiptsOfLast(in conversation: ConversationID) -> MessageReceipts? {
        guard var replica = replicas[conversation], let known = receipts[conversation],
            let last = context.lastSaid(in: replica)
        else { return nil }
        return replica.group.receipts(
            for: last, by: known, showsReads: sharesReads(in: conversation), in: replica.log.membership)
    }
}
