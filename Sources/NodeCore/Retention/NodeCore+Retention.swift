import Conversations
import OperationLog
import Replication
import Storage
import Time

/// What the node's owner asks of ``Retention``.
extension NodeCore {
    /// For how many days a conversation can be kept, where not forever.
    public static let retentionRange = 1...3_650

    /// For how many days conversations are kept here, where not forever.
    public var retentions: [ConversationID: Int] { retention.days }

    /// Keeps a conversation for so many days from now on, or forever. What is older already goes within seconds.
    ///
    /// - Throws: `conversation_not_found`, `invalid_request` outside ``retentionRange``, `disk_full`, `storage_failed`.
    public mutating func keep(
        _ conversation: ConversationID, days: Int?, at moment: Moment
    ) throws(NodeError) {
        self.moment = moment
        _ = try replica(conversation)
        if let days, !Self.retentionRange.contains(days) {
            throw NodeError(
                .invalidRequest,
                "A conversation is kept for \(Self.retentionRange.lowerBound) to \(Self.retentionRange.upperBound) days, or forever"
            )
        }
        do throws(StoreError) {
            try storage.setRetention(days, of: conversation)
        } catch {
            throw NodeError(error)
        }
        tellRetention(.changed(conversation, days: days))
    }

    /// Tells retention what happened, and carries out what it asks for.
    mutating func tellRetention(_ event: Retention.Event) {
        carryOut(retention.handle(event, in: &context))
    }
}
