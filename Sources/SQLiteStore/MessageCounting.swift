import GRDB

/// Counts single messages whose bodies come late or go, in the transaction in which they do.
///
/// Whatever else a row is, nothing is counted for it.
struct MessageCounting {
    private let change: Query
    private let forget: Query

    init(on database: Database) throws {
        change = try Query(
            """
            INSERT INTO message_counts(conversation, quarter, device, messages)
            SELECT conversation, effective_time / \(MessageCounts.quarterHour), device, ?2 FROM operations
            WHERE n = ?1 AND lane = 1 AND type = 32 AND availability = 0
            ON CONFLICT(conversation, quarter, device) DO UPDATE SET messages = messages + excluded.messages
            """, on: database)
        forget = try Query(
            """
            DELETE FROM message_counts WHERE messages <= 0 AND (conversation, quarter, device) IN (
                SELECT conversation, effective_time / \(MessageCounts.quarterHour), device FROM operations WHERE n = ?1)
            """, on: database)
    }

    /// Counts a message after its body was put into its row.
    func count(_ row: Int64) throws {
        try change(row, by: 1)
    }

    /// Counts a message no more, before its body is taken out of its row; one whose body is not there was not counted.
    func uncount(_ row: Int64) throws {
        try change(row, by: -1)
        try forget.bind(row, at: 1)
        try forget.run()
    }

    private func change(_ row: Int64, by count: Int64) throws {
        try change.bind(row, at: 1)
        try change.bind(count, at: 2)
        try change.run()
    }
}
