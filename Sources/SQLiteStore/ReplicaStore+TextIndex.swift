import Cryptography
import GRDB
import OperationLog
import Storage

/// A message and its place in the order of arrival.
public struct ArrivedMessage: Hashable, Sendable {
    /// The place, from 1.
    public let arrival: Int64
    /// The message.
    public let operation: Operation

    init(_ row: QueryRow, _ reading: StoredOperation) throws {
        arrival = StoredOperation.arrival(in: row)
        operation = try reading.read(row)
    }
}

/// The full-text index: words of messages in the clear, with which a search costs no more than its results.
///
/// It exists only where its owner asks for it, is filled by whoever can open the messages, and can be dropped and built
/// anew at any time. Tokens are runs of ASCII letters, digits and underscores; what else is a word, its owner puts into
/// those.
extension ReplicaStore {
    /// Whether there is an index.
    public func isIndexed() throws(StoreError) -> Bool {
        try access { try TextIndex.exists(in: $0) }
    }

    /// Begins an empty index, or drops it so that nothing of it is left in the file. One that goes on tries again what
    /// it lacks.
    public func setIndexed(_ isIndexed: Bool) throws(StoreError) {
        if try self.isIndexed() == isIndexed {
            // Keys may have come since what was here could not be opened.
            if isIndexed { try transaction { try $0.execute(sql: "UPDATE texts_missing SET was_here = 0") } }
            return
        }
        try transaction { try $0.execute(sql: isIndexed ? TextIndex.creation : TextIndex.removal) }
        // Pages that had words and were given back keep nothing of them in a file that is written anew.
        if !isIndexed { try access { try $0.execute(sql: "VACUUM; PRAGMA wal_checkpoint(TRUNCATE)") } }
    }

    /// The next messages to be indexed, in the order of arrival: first what could not be opened when it was its turn
    /// and has come since.
    ///
    /// - Precondition: there is an index.
    public func unindexed(limit: Int) throws(StoreError) -> [ArrivedMessage] {
        try access { database in
            let reading = try StoredOperation(using: register, on: database)
            let late = try Query(
                """
                SELECT \(StoredOperation.columns) FROM texts_missing CROSS JOIN operations USING (n)
                WHERE availability = 0 AND was_here = 0 ORDER BY n LIMIT ?1
                """, on: database)
            try late.bind(Int64(limit), at: 1)
            let found = try late.map { try ArrivedMessage($0, reading) }
            guard found.isEmpty else { return found }
            let next = try Query(
                """
                SELECT \(StoredOperation.columns) FROM operations
                WHERE n > (SELECT through FROM texts_progress) AND lane = 1 AND type = 32 AND availability IN (0, 2, 5)
                ORDER BY n LIMIT ?1
                """, on: database)
            try next.bind(Int64(limit), at: 1)
            return try next.map { try ArrivedMessage($0, reading) }
        }
    }

    /// Takes texts into the index.
    ///
    /// - Parameter texts: the texts of messages from ``unindexed(limit:)`` by arrival, nil for one that cannot be
    ///   opened.
    public func index(_ texts: [(arrival: Int64, text: String?)]) throws(StoreError) {
        try transaction { database in
            let insert = try Query("INSERT INTO texts(rowid, text) VALUES(?1, ?2)", on: database)
            let delete = try Query("DELETE FROM texts_missing WHERE n = ?1", on: database)
            // One whose body is here and that does not open is not looked at again before the next start.
            let miss = try Query(
                """
                INSERT OR REPLACE INTO texts_missing(n, was_here)
                SELECT n, availability = 0 FROM operations WHERE n = ?1
                """, on: database)
            let advance = try Query("UPDATE texts_progress SET through = max(through, ?1)", on: database)
            for (arrival, text) in texts {
                try advance.bind(arrival, at: 1)
                try advance.run()
                guard let text else {
                    try miss.bind(arrival, at: 1)
                    try miss.run()
                    continue
                }
                try delete.bind(arrival, at: 1)
                try delete.run()
                try insert.bind(arrival, at: 1)
                try insert.bind(text, at: 2)
                try insert.run()
            }
        }
    }

    /// Messages that match an expression of FTS5, the latest arrivals first.
    ///
    /// - Parameters:
    ///   - conversation: where to look, or nil for everywhere.
    ///   - before: only what arrived before this place.
    /// - Complexity: O(*m*) in the matches passed over, about 3 µs each.
    public func matches(
        of expression: String, in conversation: ConversationID?, before: Int64?, limit: Int
    ) throws(StoreError) -> [ArrivedMessage] {
        try newest(
            """
            FROM texts CROSS JOIN operations ON n = texts.rowid
            WHERE texts MATCH ?4 AND texts.rowid < ?1 AND (?2 IS NULL OR conversation = ?2) AND availability = 0
            ORDER BY texts.rowid DESC LIMIT ?3
            """, matching: expression, in: conversation, before: before, limit: limit)
    }

    /// Messages that are here, the latest arrivals first.
    public func newestMessages(
        in conversation: ConversationID?, before: Int64?, limit: Int
    ) throws(StoreError) -> [ArrivedMessage] {
        try newest(
            """
            FROM operations
            WHERE n < ?1 AND (?2 IS NULL OR conversation = ?2) AND lane = 1 AND type = 32 AND availability = 0
            ORDER BY n DESC LIMIT ?3
            """, in: conversation, before: before, limit: limit)
    }

    private func newest(
        _ source: String, matching expression: String? = nil, in conversation: ConversationID?, before: Int64?,
        limit: Int
    ) throws(StoreError) -> [ArrivedMessage] {
        var number: Int64?
        if let conversation {
            guard let known = register[conversation]?.number else { return [] }
            number = known
        }
        return try access { database in
            let select = try Query("SELECT \(StoredOperation.columns) \(source)", on: database)
            try select.bind(before ?? .max, at: 1)
            if let number { try select.bind(number, at: 2) } else { try select.bindNull(at: 2) }
            try select.bind(Int64(limit), at: 3)
            if let expression { try select.bind(expression, at: 4) }
            let reading = try StoredOperation(using: register, on: database)
            return try select.map { try ArrivedMessage($0, reading) }
        }
    }

    /// The position of a message in the order of arrival, or nil if it is not here.
    public func arrival(of message: OperationID) throws(StoreError) -> Int64? {
        try access { database in
            let find = try Query(
                "SELECT n FROM \(StoredOperation.byID) WHERE substr(id, 1, 8) = substr(?1, 1, 8) AND id = ?1",
                on: database)
            try find.bind(message, at: 1)
            return try find.first { $0.number(0) }
        }
    }

    /// Overwrites a part of what the index still has of erased messages.
    ///
    /// - Returns: whether there is more to do.
    /// - Complexity: O(1): some 64 pages.
    public func compactIndex() throws(StoreError) -> Bool {
        let isDirty = try access { database in
            guard try TextIndex.exists(in: database) else { return false }
            return try Query("SELECT is_dirty FROM texts_progress", on: database).first { $0.number(0) == 1 } ?? false
        }
        guard isDirty else { return false }
        var isDone = false
        try erasing { database in
            let before = database.totalChangesCount
            // Negative: what is merged already takes part, so in the end there is one segment without the erased words.
            try Query("INSERT INTO texts(texts, rank) VALUES('merge', -64)", on: database).run()
            // FTS5 counts as one change what did nothing.
            isDone = database.totalChangesCount - before < 2
            if isDone { try Query("UPDATE texts_progress SET is_dirty = 0", on: database).run() }
        }
        return !isDone
    }
}

/// The tables of the index.
enum TextIndex {
    static let creation = """
        CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = "unicode61 remove_diacritics 0 tokenchars '_'");
        -- Through which arrival messages are indexed, and whether words of erased ones are left in the index.
        CREATE TABLE texts_progress(through INTEGER NOT NULL, is_dirty INTEGER NOT NULL);
        INSERT INTO texts_progress VALUES(0, 0);
        -- Messages before that place that could not be opened; `was_here` where the body was here all the same.
        CREATE TABLE texts_missing(n INTEGER PRIMARY KEY, was_here INTEGER NOT NULL);
        """

    static let removal = "DROP TABLE texts; DROP TABLE texts_progress; DROP TABLE texts_missing;"

    /// Takes messages out of the index, to be indexed again as they are shown now.
    ///
    /// - Parameter messages: these, or what is a part of them: a message may name a file that it carries.
    static func forget(_ messages: [OperationID], on database: Database) throws {
        guard !messages.isEmpty, try exists(in: database) else { return }
        let find = try Query(
            "SELECT n FROM \(StoredOperation.byID) WHERE substr(id, 1, 8) = substr(?1, 1, 8) AND id = ?1", on: database)
        let changes = try [
            "DELETE FROM texts WHERE rowid = ?1",
            "INSERT OR REPLACE INTO texts_missing(n, was_here) SELECT ?1, 0 FROM texts_progress WHERE through >= ?1",
            "UPDATE texts_progress SET is_dirty = 1 WHERE ?1",
        ].map { try Query($0, on: database) }
        let findWhole = try Query(
            "SELECT target FROM annotations WHERE n = ?1 AND length(target) = \(Digest.byteCount)", on: database)
        for part in messages {
            try find.bind(part, at: 1)
            guard var place = try find.first({ $0.number(0) }) else { continue }
            try findWhole.bind(place, at: 1)
            if let message = try findWhole.first({ try $0.identifier(0) as OperationID }) {
                try find.bind(message, at: 1)
                guard let found = try find.first({ $0.number(0) }) else { continue }
                place = found
            }
            for change in changes {
                try change.bind(place, at: 1)
                try change.run()
            }
        }
    }

    static func exists(in database: Database) throws -> Bool {
        let find = try Query("SELECT 1 FROM sqlite_schema WHERE name = 'texts_progress'", on: database)
        return try find.first { _ in true } ?? false
    }
}
