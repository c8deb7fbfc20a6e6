import Conversations
import OperationLog
import Replication
import Storage
import Time

/// What the node's owner asks of ``Retention``.
extension NodeCore {
    /// For how many days a conversation can be kept, where not forever.
    public static let retentionRange = PeerMessage.retentionRange

    /// For how many days a conversation is kept here; nil forever.
    public func retentionDays(of conversation: ConversationID) -> Int? {
        guard case .days(let days)? = retention.periods[conversation] else { return nil }
        return days
    }

    /// Keeps a conversation for so many days from now on, or forever. What is older already goes within seconds.
    ///
    /// - Throws: `conversation_not_found`, `not_accepted` for an erased group that the user is asked to join,
    ///   `invalid_request` outside ``retentionRange``, `disk_full`, `storage_failed`.
    public mutating func keep(
        _ conversation: ConversationID, days: Int?, at moment: Moment
    ) throws(NodeError) {
        self.moment = moment
        _ = try replica(conversation)
        guard !context.familiarity.erased.contains(conversation) else {
            throw NodeError(
                .notAccepted, "You are asked to join this group, and have not accepted it yet",
                hint: "'moot accept' makes it yours, 'moot decline' leaves it.")
        }
        if let days, !Self.retentionRange.contains(days) {
            throw NodeError(
                .invalidRequest,
                "A conversation is kept for \(Self.retentionRange.lowerBound) to \(Self.retentionRange.upperBound) days, or forever"
            )
        }
        try set(days.map(RetentionPeriod.days), of: conversation)
        ownDevices.retentionTakenOver.remove(conversation)
        tellRetention(of: conversation)
    }

    mutating func set(_ period: RetentionPeriod?, of conversation: ConversationID) throws(NodeError) {
        do throws(StoreError) {
            try storage.setRetention(period, of: conversation)
        } catch {
            lastStorageError = error
            throw NodeError(error)
        }
        lastStorageError = nil
        tellRetention(.changed(conversation, period))
    }

    /// Erases a group that the user is not in any more: at once what they kept for themselves about it, what its
    /// members said they received, and its photo; within seconds every text, annotation, file and key. It is listed no
    /// more.
    ///
    /// Headers and what was decided about membership stay: without them a node would forget that it left, would take
    /// itself for a member where somebody brings the group who was away, and would number anew what it writes. Where
    /// the user is brought back, the group is there again, without what was erased.
    ///
    /// - Throws: `conversation_not_found`; `invalid_operation` where the user is a member or is asked to be one, and
    ///   for a direct conversation; `disk_full`, `storage_failed`.
    public mutating func erase(_ conversation: ConversationID, at moment: Moment) throws(NodeError) {
        self.moment = moment
        let replica = try replica(conversation)
        try requireErasable(replica)
        try set(.nothing, of: conversation)
        context.privateState.forget(conversation)
        tellReceipts(.erased(conversation))
        tellFiles(.conversationErased(conversation))
    }

    private func requireErasable(_ replica: Replica) throws(NodeError) {
        let id = replica.id.description.prefix(16)
        guard !replica.isDirect else {
            throw NodeError(
                .invalidOperation, "A direct conversation is never left, so it cannot be erased",
                hint: "To keep less of it: moot keep \(id) 1")
        }
        guard !replica.group.isMember(me) else {
            throw NodeError(.invalidOperation, "You are in this group", hint: "First: moot leave \(id)")
        }
        guard replica.group.openInvites(of: me).isEmpty else {
            throw NodeError(.invalidOperation, "You are asked to join this group", hint: "First: moot decline \(id)")
        }
    }

    /// Whether the user left a conversation and erased it, and nobody asked them back or brought them back since.
    public func isErased(_ replica: Replica) -> Bool { context.isErased(replica) }

    /// Tells retention what happened, and carries out what it asks for.
    mutating func tellRetention(_ event: Retention.Event) {
        carryOut(retention.handle(event, in: &context))
    }
}
