import Cryptography
import GRDB
import OperationLog
import Storage
import Time

extension ReplicaStore {
    /// For how long bodies are kept, where not forever.
    public func retentions() throws(StoreError) -> [ConversationID: RetentionPeriod] {
        try access { database in
            var periods: [ConversationID: RetentionPeriod] = [:]
            try Query("SELECT conversation, days FROM retention", on: database).forEachRow { row in
                let days = Int(row.number(1))
                periods[try register.conversation(row.number(0)).id] =
                    days == Self.noDays ? .nothing : .days(days)
                return true
            }
            return periods
        }
    }

    /// What stands for ``RetentionPeriod/nothing`` in the file.
    private static let noDays = 0

    /// Keeps for how long bodies are kept; nil forever.
    public func setRetention(_ period: RetentionPeriod?, of conversation: ConversationID) throws(StoreError) {
        guard let number = register[conversation]?.number else { return }
        switch period {
        case nil:
            try transaction { database in
                try Self.run(
                    """
                    DELETE FROM epoch_keys WHERE conversation = ?1 AND sealed IS NULL
                        AND (SELECT days FROM retention WHERE conversation = ?1) = \(Self.noDays)
                    """, about: number, on: database)
                try Self.run("DELETE FROM retention WHERE conversation = ?1", about: number, on: database)
            }
        case .days(let days):
            try transaction { try Self.keep(number, days: days, on: $0) }
        case .nothing:
            try erasing { database in
                try Self.keep(number, days: Self.noDays, on: database)
                try Self.eraseRecords(about: conversation, numbered: number, on: database)
            }
        }
    }

    private static func keep(_ number: Int64, days: Int, on database: Database) throws {
        let upsert = try Query("INSERT OR REPLACE INTO retention(conversation, days) VALUES(?1, ?2)", on: database)
        try upsert.bind(number, at: 1)
        try upsert.bind(Int64(days), at: 2)
        try upsert.run()
    }

    private static func run(_ statement: String, about number: Int64, on database: Database) throws {
        let query = try Query(statement, on: database)
        try query.bind(number, at: 1)
        try query.run()
    }

    /// Erases what is kept about a conversation besides its operations.
    ///
    /// - Complexity: O(*n*) in the operations of the conversation, for what clients sent.
    private static func eraseRecords(
        about conversation: ConversationID, numbered number: Int64, on database: Database
    ) throws {
        for table in ["receipts", "read_marks"] {
            try run("DELETE FROM \(table) WHERE conversation = ?1", about: number, on: database)
        }
        try run(
            "DELETE FROM requests WHERE first IN (SELECT n FROM operations WHERE conversation = ?1)", about: number,
            on: database)
        let delete = try Query("DELETE FROM private_states WHERE conversation = ?1", on: database)
        try delete.bind(conversation, at: 1)
        try delete.run()
    }

    /// Erases bodies that are older than a moment, wanted ones among them, and returns whose; at most `limit`.
    ///
    /// Age counts from the hybrid time; of what claims to be from the future, from when it came in.
    ///
    /// - Parameter now: this moment.
    /// - Complexity: O(`limit`), about 10 µs each, and O(*n*) in what claims to be from the future or is withheld.
    public func expire(
        before time: Timestamp, at now: Timestamp, in conversation: ConversationID, limit: Int
    ) throws(StoreError) -> [OperationID] {
        guard let number = register[conversation]?.number else { return [] }
        let register = register
        var expired: [OperationID] = []
        try erasing { database in
            let erasure = try BodyErasure(in: number, as: .expired, on: database)
            for source in ["\(StoredOperation.byTime) AND availability IN (0, 2, 5)", StoredOperation.withheld] {
                let select = try Query(
                    """
                    SELECT \(StoredOperation.columns) FROM \(source)
                        AND conversation = ?1 AND (effective_time < ?2 OR effective_time > ?3 AND received_at < ?2)
                    ORDER BY effective_time LIMIT ?4
                    """, on: database)
                try select.bind(number, at: 1)
                try select.bind(time.milliseconds, at: 2)
                try select.bind(now.milliseconds, at: 3)
                try select.bind(Int64(limit - expired.count), at: 4)
                for row in try Self.erasable(select, using: register, on: database) {
                    expired.append(try erasure.erase(row))
                }
            }
        }
        return expired
    }

    /// Erases the bodies of operations that were deleted for everybody, wanted ones among them; of those that have none
    /// here, nothing.
    public func erase(_ operations: [OperationID], in conversation: ConversationID) throws(StoreError) {
        guard let number = register[conversation]?.number else { return }
        let register = register
        try erasing { database in
            try Self.erase(operations, of: number, on: database, using: register)
        }
    }

    /// Erases the bodies of operations that the user does not want to see any more; as if they had expired, they are
    /// not shown.
    public func dismiss(_ operations: [OperationID], in conversation: ConversationID) throws(StoreError) {
        guard let number = register[conversation]?.number else { return }
        let register = register
        try erasing { database in
            try Self.erase(operations, of: number, as: .expired, on: database, using: register)
        }
    }

    static func erase(
        _ operations: [OperationID], of conversation: Int64, as availability: Availability = .deleted,
        on database: Database, using register: SurrogateKeys
    ) throws {
        guard !operations.isEmpty else { return }
        let find = try Query(
            """
            SELECT \(StoredOperation.columns) FROM \(StoredOperation.byID)
            WHERE substr(id, 1, 8) = substr(?1, 1, 8) AND id = ?1 AND conversation = ?2 AND lane = 1
                AND type NOT BETWEEN 33 AND 35 AND availability IN (0, 2, 5, 6)
            """, on: database)
        try find.bind(conversation, at: 2)
        let erasure = try BodyErasure(in: conversation, as: availability, on: database)
        for id in operations {
            try find.bind(id, at: 1)
            for row in try erasable(find, using: register, on: database) { _ = try erasure.erase(row) }
        }
    }

    /// The epochs that a body of a conversation that is here or wanted names.
    ///
    /// - Complexity: O(*n*) in the content operations, about 0.3 µs each.
    public func epochsInUse(in conversation: ConversationID) throws(StoreError) -> Set<OperationID> {
        guard let number = register[conversation]?.number else { return [] }
        return try access { database in
            let select = try Query(
                """
                SELECT epoch FROM \(StoredOperation.byTime)
                    AND conversation = ?1 AND availability IN (0, 2, 5) AND epoch IS NOT NULL
                UNION SELECT epoch FROM \(StoredOperation.withheld) AND conversation = ?1 AND epoch IS NOT NULL
                """, on: database)
            try select.bind(number, at: 1)
            return Set(try select.map { try register.operation($0.number(0)) })
        }
    }

    /// Erases keys of epochs for good, and keeps that they were here once.
    public func eraseEpochKeys(_ epochs: [OperationID], in conversation: ConversationID) throws(StoreError) {
        guard let number = register[conversation]?.number else { return }
        try erasing { database in
            let update = try Query(
                "UPDATE epoch_keys SET sealed = NULL WHERE conversation = ?1 AND epoch = ?2", on: database)
            try update.bind(number, at: 1)
            for epoch in epochs.sorted() {
                try update.bind(epoch, at: 2)
                try update.run()
            }
        }
    }

    /// Erases a secret for good.
    public func eraseWrapSecret(_ counter: UInt64) throws(StoreError) {
        try erasing { database in
            let delete = try Query("DELETE FROM wrap_keys WHERE counter = ?1", on: database)
            try delete.bind(Int64(clamping: counter), at: 1)
            try delete.run()
        }
    }

    /// Runs `body` in a transaction after which nothing of what it deleted is left in the file or in the write-ahead
    /// log; in a group, after the group.
    func erasing(_ body: (Database) throws -> Void) throws(StoreError) {
        try transaction(body)
        if group == nil { try clearLog() } else { walHasErasedData = true }
    }

    /// Empties the write-ahead log if something erased may be left in it. A commit is kept whether or not that
    /// succeeds: what fails is done after the next one.
    func clearLog(isDue: Bool) {
        walHasErasedData = walHasErasedData || isDue
        // While a group is open its end does it: the log cannot be emptied in the middle of a transaction.
        guard walHasErasedData, group == nil, (try? clearLog()) != nil else { return }
        walHasErasedData = false
    }

    private func clearLog() throws(StoreError) {
        try access { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    }

    private static func erasable(
        _ select: Query, using register: SurrogateKeys, on database: Database
    ) throws -> [BodyErasure.Row] {
        let reading = try StoredOperation(using: register, on: database)
        return try select.map { row in
            BodyErasure.Row(
                number: StoredOperation.arrival(in: row), id: try row.identifier(2), device: row.number(1),
                isHere: !row.isNull(4), header: try reading.header(in: row))
        }
    }
}

/// Takes bodies out of their rows and puts their digests, which they implied, in the headers.
private struct BodyErasure {
    struct Row {
        let number: Int64
        let id: OperationID
        let device: Int64
        let isHere: Bool
        let header: OperationHeader
    }

    private let update: Query
    private let delete: Query
    private let uncount: Query
    private let counting: MessageCounting
    /// What takes the words out of the index, if there is one.
    private let forget: [Query]

    init(in conversation: Int64, as availability: Availability, on database: Database) throws {
        // A concatenation would be text.
        update = try Query(
            "UPDATE operations SET body = NULL, availability = ?2, header = cast(header || ?3 AS BLOB) WHERE n = ?1",
            on: database)
        try update.bind(availability.rawValue, at: 2)
        delete = try Query("DELETE FROM wanted WHERE conversation = ?1 AND operation = ?2", on: database)
        try delete.bind(conversation, at: 1)
        // What was declined was not counted, nor what is withheld without being here.
        uncount = try Query(
            """
            UPDATE shares SET bytes = max(0, bytes - ?3) WHERE conversation = ?1 AND device = ?2
                AND (SELECT availability IN (0, 2) OR availability = 6 AND body IS NOT NULL FROM operations WHERE n = ?4)
            """, on: database)
        try uncount.bind(conversation, at: 1)
        counting = try MessageCounting(on: database)
        forget =
            try TextIndex.exists(in: database)
            ? [
                "DELETE FROM texts WHERE rowid = ?1", "DELETE FROM texts_missing WHERE n = ?1",
                "UPDATE texts_progress SET is_dirty = 1 WHERE ?1",
            ].map { try Query($0, on: database) } : []
    }

    func erase(_ row: Row) throws -> OperationID {
        try uncount.bind(row.device, at: 2)
        try uncount.bind(Int64(row.header.bodyLength), at: 3)
        try uncount.bind(row.number, at: 4)
        try uncount.run()
        try counting.uncount(row.number)
        try update.bind(row.number, at: 1)
        try update.bind(row.isHere ? row.header.bodyDigest.bytes : [], at: 3)
        try update.run()
        try delete.bind(row.id, at: 2)
        try delete.run()
        for query in forget {
            try query.bind(row.number, at: 1)
            try query.run()
        }
        return row.id
    }
}
