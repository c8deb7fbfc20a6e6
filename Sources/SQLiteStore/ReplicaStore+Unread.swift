import Cryptography
import GRDB
import OperationLog
import Storage

extension ReplicaStore {
    /// Unread messages that somebody deleted, or tried to.
    public struct UnreadDeletions: Hashable, Sendable {
        /// Deleted by their own authors, who may.
        public var byAuthors: Set<OperationID> = []
        /// Others said so, who may or may not.
        public var byOthers: Set<OperationID> = []
    }

    /// The messages among those that ``unreadCount(in:for:without:)`` counts to which operations lead that delete.
    /// Whether what others say counts, the store cannot tell.
    ///
    /// - Complexity: O(*c* + *n*) for *c* chains and *n* operations that delete and came after the first unread
    ///   message.
    public func unreadDeletions(
        in conversation: ConversationID, for user: UserID, without blocked: Set<UserID> = []
    ) throws(StoreError) -> UnreadDeletions {
        guard let number = register[conversation]?.number else { return UnreadDeletions() }
        let marks = try readMarks(in: conversation)
        return try access { database in
            var found = UnreadDeletions()
            guard let first = try Self.firstUnread(in: number, on: database) else { return found }
            let select = try Query(
                """
                SELECT target, operations.device FROM operations INDEXED BY deletes_by_arrival
                    JOIN annotations ON annotations.n = operations.n
                WHERE operations.conversation = ?1 AND operations.type = 37 AND operations.n > ?2
                    AND operations.availability <> 6
                    AND length(target) = \(Digest.byteCount)
                """, on: database)
            try select.bind(number, at: 1)
            try select.bind(first, at: 2)
            let find = try Query(
                """
                SELECT device, sequence FROM \(StoredOperation.byID)
                WHERE substr(id, 1, 8) = substr(?1, 1, 8) AND id = ?1 AND conversation = ?2 AND type = 32
                    AND availability IN (0, 2)
                """, on: database)
            try find.bind(number, at: 2)
            try select.forEachRow { row in
                let target: OperationID = try row.identifier(0)
                let deleter = try register.device(row.number(1)).user
                try find.bind(target, at: 1)
                guard let message = try find.first({ ($0.number(0), try $0.sequenceNumber(1)) }) else { return true }
                let author = try register.device(message.0)
                guard author.user != user, !blocked.contains(author.user), message.1 > marks[author.id] ?? 0 else {
                    return true
                }
                if deleter == author.user { found.byAuthors.insert(target) } else { found.byOthers.insert(target) }
                return true
            }
            found.byOthers.subtract(found.byAuthors)
            return found
        }
    }

    /// The conversations in which ``unreadDeletions(in:for:without:)`` may find something.
    ///
    /// - Complexity: O(*c* log *n*) for *c* conversations and *n* operations that delete.
    public func conversationsWithDeletions() throws(StoreError) -> Set<ConversationID> {
        try access { database in
            let select = try Query(
                """
                SELECT n FROM conversations WHERE EXISTS (
                    SELECT 1 FROM operations INDEXED BY deletes_by_arrival
                    WHERE operations.conversation = conversations.n AND type = 37)
                """, on: database)
            return Set(try select.map { try register.conversation($0.number(0)).id })
        }
    }

    /// The messages that ``unreadCount(in:for:without:)`` counts, in their order, those deleted by somebody among them;
    /// at most `limit`.
    ///
    /// - Parameter after: only what is behind this place.
    /// - Complexity: O(*c* + *n* log *n*) for *c* chains and *n* unread operations.
    public func unreadMessages(
        in conversation: ConversationID, for user: UserID, without blocked: Set<UserID> = [],
        after: MessagePosition? = nil, limit: Int
    ) throws(StoreError) -> [StoredMessage] {
        guard let number = register[conversation]?.number else { return [] }
        return try access { database in
            let people = [user] + blocked.sorted()
            let select = try Query(
                """
                SELECT \(StoredOperation.columns), received_at FROM operations WHERE n IN (
                    SELECT found.n FROM (SELECT DISTINCT device FROM tips WHERE conversation = ?1 AND lane = 1) AS chain
                    JOIN devices ON devices.n = chain.device
                    LEFT JOIN read_marks AS mark ON mark.conversation = ?1 AND mark.device = chain.device
                    JOIN operations AS found INDEXED BY operations_by_chain
                        ON found.conversation = ?1 AND found.lane = 1 AND found.device = chain.device
                            AND found.sequence > coalesce(mark.sequence, 0) AND found.type = 32
                            AND found.availability IN (0, 2)
                    WHERE devices.user NOT IN (\(Self.parameters(from: 5, count: people.count))))
                    AND effective_time >= ?2 AND (effective_time > ?2 OR id > ?3)
                ORDER BY effective_time, id LIMIT ?4
                """, on: database)
            try select.bind(number, at: 1)
            try select.bind(after?.hybridTime ?? -1, at: 2)
            try select.bind(after?.id.digest.bytes ?? [], at: 3)
            try select.bind(Int64(limit), at: 4)
            for (index, person) in people.enumerated() { try select.bind(person, at: Int32(index + 5)) }
            let reading = try StoredOperation(using: register, on: database)
            return try select.map { try Self.message(in: $0, reading) }
        }
    }

    /// The first message of others beyond the read marks, in the order of messages; nil where there is none.
    ///
    /// Hybrid time never falls along a chain, so it is the first of one of the chains.
    ///
    /// - Complexity: O(*c* log *n*) for *c* chains and *n* operations, and O(*m*) in what is unread before the first
    ///   message of a chain.
    public func firstUnreadMessage(
        in conversation: ConversationID, for user: UserID, without blocked: Set<UserID> = []
    ) throws(StoreError) -> StoredMessage? {
        guard let number = register[conversation]?.number else { return nil }
        return try access { database in
            let people = [user] + blocked.sorted()
            let select = try Query(
                """
                SELECT \(StoredOperation.columns), received_at FROM operations WHERE n IN (
                    SELECT (SELECT found.n FROM operations AS found INDEXED BY operations_by_chain
                        WHERE found.conversation = ?1 AND found.lane = 1 AND found.device = chain.device
                            AND found.sequence > coalesce(mark.sequence, 0) AND found.type = 32
                            AND found.availability IN (0, 2)
                        ORDER BY found.sequence LIMIT 1)
                    FROM (SELECT DISTINCT device FROM tips WHERE conversation = ?1 AND lane = 1) AS chain
                    JOIN devices ON devices.n = chain.device
                    LEFT JOIN read_marks AS mark ON mark.conversation = ?1 AND mark.device = chain.device
                    WHERE devices.user NOT IN (\(Self.parameters(from: 2, count: people.count))))
                ORDER BY effective_time, id LIMIT 1
                """, on: database)
            try select.bind(number, at: 1)
            for (index, person) in people.enumerated() { try select.bind(person, at: Int32(index + 2)) }
            let reading = try StoredOperation(using: register, on: database)
            return try select.first { try Self.message(in: $0, reading) }
        }
    }

    /// The first arrival beyond the read marks; nil where there is none.
    private static func firstUnread(in conversation: Int64, on database: Database) throws -> Int64? {
        let select = try Query(
            """
            SELECT min((SELECT min(n) FROM operations INDEXED BY operations_by_chain
                WHERE conversation = ?1 AND lane = 1 AND device = chain.device
                    AND sequence = coalesce(mark.sequence, 0) + 1))
            FROM (SELECT DISTINCT device FROM tips WHERE conversation = ?1 AND lane = 1) AS chain
            LEFT JOIN read_marks AS mark ON mark.conversation = ?1 AND mark.device = chain.device
            """, on: database)
        try select.bind(conversation, at: 1)
        return try select.first { $0.isNull(0) ? nil : $0.number(0) } ?? nil
    }
}
