import GRDB
import OperationLog
import Storage

/// How much was written in a conversation in some stretch of time, and by whom.
///
/// What counts is a message whose body is here, at its hybrid time, whether or not it can be opened. One that was
/// erased, has expired, is closed to this device or has not come counts for nothing.
public struct MessageCounts: Hashable, Sendable {
    /// Milliseconds of the stretches in which messages are counted: a quarter of an hour, as every time zone since 1972
    /// is so many of them ahead of or behind UTC.
    public static let quarterHour: Int64 = 900_000

    /// How many messages there are in each quarter of an hour since 1970; only those in which there are any.
    public internal(set) var quarterHours: [Int64: Int] = [:]
    /// How many each person wrote.
    public internal(set) var authors: [UserID: Int] = [:]

    /// Counts a message no more that was counted.
    public mutating func remove(_ message: StoredMessage) {
        let (quarterHour, author) = (message.hybridTime / Self.quarterHour, message.operation.author.user)
        quarterHours[quarterHour] = quarterHours[quarterHour].flatMap { $0 > 1 ? $0 - 1 : nil }
        authors[author] = authors[author].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
}

extension ReplicaStore {
    /// How much was written in a conversation, by quarter of an hour and by author.
    ///
    /// - Parameters:
    ///   - quarterHours: quarters of an hour since 1970.
    ///   - blocked: people whose messages do not count.
    /// - Complexity: O(*n*) in the pairs of a quarter and a device that wrote in it, about 0.5 µs each, however many
    ///   messages they wrote.
    public func messageCounts(
        in conversation: ConversationID, quarterHours: Range<Int64>, without blocked: Set<UserID> = []
    ) throws(StoreError) -> MessageCounts {
        guard let number = register[conversation]?.number else { return MessageCounts() }
        return try access { database in
            let select = try Query(
                """
                SELECT quarter, device, messages FROM message_counts
                WHERE conversation = ?1 AND quarter >= ?2 AND quarter < ?3
                """, on: database)
            try select.bind(number, at: 1)
            try select.bind(quarterHours.lowerBound, at: 2)
            try select.bind(quarterHours.upperBound, at: 3)
            var counts = MessageCounts()
            var authors: [Int64: UserID] = [:]
            try select.forEachRow { row in
                let device = row.number(1)
                let author = try authors[device] ?? register.device(device).user
                authors[device] = author
                guard !blocked.contains(author) else { return true }
                let messages = Int(row.number(2))
                counts.quarterHours[row.number(0), default: 0] += messages
                counts.authors[author, default: 0] += messages
                return true
            }
            return counts
        }
    }
}
