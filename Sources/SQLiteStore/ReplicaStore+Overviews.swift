import GRDB
import OperationLog
import Storage

/// What a list of conversations shows of one, as far as the messages go.
public struct ConversationOverview: Hashable, Sendable {
    /// The last message, in the order in which messages are shown.
    public let last: StoredMessage?
    /// Whether any annotation leads to it.
    public let isAnnotated: Bool
    /// Messages of others beyond the read marks.
    public let unread: Int

    /// Nothing was written yet, unless it says otherwise.
    public init(last: StoredMessage? = nil, isAnnotated: Bool = true, unread: Int = 0) {
        self.last = last
        self.isAnnotated = isAnnotated
        self.unread = unread
    }

    /// The same with another count.
    public func with(unread: Int) -> ConversationOverview {
        ConversationOverview(last: last, isAnnotated: isAnnotated, unread: unread)
    }
}

extension ReplicaStore {
    /// The last message of every conversation, and how many are unread for a user.
    ///
    /// - Parameter blocked: people whose messages do not count as unread.
    /// - Complexity: two queries; O(*c* log *n* + *u*) for *c* conversations, *n* operations and *u* unread ones.
    public func overviews(
        for user: UserID, without blocked: Set<UserID> = []
    ) throws(StoreError) -> [ConversationID: ConversationOverview] {
        let unread = try unreadCounts(for: user, without: blocked)
        return try access { database in
            let select = try Query(
                """
                SELECT \(StoredOperation.columns), received_at,
                    EXISTS (SELECT 1 FROM annotations INDEXED BY annotations_by_target WHERE target = operations.id)
                FROM operations WHERE n IN (
                    SELECT (
                        SELECT latest.n FROM operations AS latest INDEXED BY content_by_time
                        WHERE latest.conversation = listed.n AND latest.lane = 1 AND latest.type = 32
                            AND latest.type NOT BETWEEN 33 AND 35 AND latest.availability NOT IN (1, 4, 6)
                        ORDER BY latest.effective_time DESC, latest.id DESC LIMIT 1)
                    FROM conversations AS listed)
                """, on: database)
            let reading = try StoredOperation(using: register, on: database)
            var overviews = unread.mapValues { ConversationOverview(unread: $0) }
            try select.forEachRow { row in
                let last = try Self.message(in: row, reading)
                guard let id = last.operation.header.conversation else { return true }
                overviews[id] = ConversationOverview(
                    last: last, isAnnotated: row.number(StoredOperation.columnCount + 1) != 0, unread: unread[id] ?? 0)
                return true
            }
            return overviews
        }
    }
}
