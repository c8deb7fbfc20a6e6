import Cryptography
import GRDB
import OperationLog
import Storage

extension ReplicaStore {
    /// How far the node's user has read the chains of a conversation: sequence numbers in the content lane.
    public func readMarks(in conversation: ConversationID) throws(StoreError) -> [DeviceID: UInt64] {
        guard let number = register[conversation]?.number else { return [:] }
        return try access { database in
            let select = try Query("SELECT device, sequence FROM read_marks WHERE conversation = ?1", on: database)
            try select.bind(number, at: 1)
            var marks: [DeviceID: UInt64] = [:]
            try select.forEachRow { row in
                marks[try register.device(row.number(0)).id] = try row.sequenceNumber(1)
                return true
            }
            return marks
        }
    }

    /// The first operation of every chain of the content lane that is beyond its read mark and behind a place in the
    /// order of messages: sequence numbers; no device where there is none.
    ///
    /// - Complexity: O(*c* + *n*) for *c* chains and *n* operations that are beyond the marks and not behind the place.
    public func firstUnread(
        behind place: MessagePosition, in conversation: ConversationID
    ) throws(StoreError) -> [DeviceID: UInt64] {
        guard let number = register[conversation]?.number else { return [:] }
        return try access { database in
            let select = try Query(
                """
                SELECT device, found FROM (SELECT chain.device AS device,
                    (SELECT sequence FROM operations INDEXED BY operations_by_chain
                        WHERE conversation = ?1 AND lane = 1 AND device = chain.device
                            AND sequence > coalesce(mark.sequence, 0)
                            AND effective_time >= ?2 AND (effective_time > ?2 OR id > ?3)
                        ORDER BY sequence LIMIT 1) AS found
                    FROM (SELECT DISTINCT device FROM tips WHERE conversation = ?1 AND lane = 1) AS chain
                    LEFT JOIN read_marks AS mark ON mark.conversation = ?1 AND mark.device = chain.device)
                WHERE found IS NOT NULL
                """, on: database)
            try select.bind(number, at: 1)
            try select.bind(place.hybridTime, at: 2)
            try select.bind(place.id.digest.bytes, at: 3)
            var first: [DeviceID: UInt64] = [:]
            try select.forEachRow { row in
                first[try register.device(row.number(0)).id] = try row.sequenceNumber(1)
                return true
            }
            return first
        }
    }

    /// Moves read marks forward; one that is further ahead already stays.
    ///
    /// - Parameter marks: sequence numbers by device; a device of whom nothing is stored has nothing to be read.
    public func markRead(_ marks: [DeviceID: UInt64], in conversation: ConversationID) throws(StoreError) {
        guard let number = register[conversation]?.number else { return }
        try transaction { database in
            let upsert = try Query(
                """
                INSERT INTO read_marks(conversation, device, sequence) VALUES(?1, ?2, ?3)
                ON CONFLICT(conversation, device) DO UPDATE SET sequence = max(sequence, excluded.sequence)
                """, on: database)
            try upsert.bind(number, at: 1)
            for (device, sequenceNumber) in marks {
                guard let device = register.number(of: device) else { continue }
                try upsert.bind(device, at: 2)
                try upsert.bind(Int64(clamping: sequenceNumber), at: 3)
                try upsert.run()
            }
        }
    }

    /// How many messages are beyond the read marks, not counting those of `user`, who has read what they wrote, and
    /// those that are closed to this device, deleted, expired or withheld.
    ///
    /// - Parameter blocked: people whose messages do not count either.
    /// - Complexity: O(*c* + *n*) for *c* chains and *n* unread operations.
    public func unreadCount(
        in conversation: ConversationID, for user: UserID, without blocked: Set<UserID> = []
    ) throws(StoreError) -> Int {
        guard let number = register[conversation]?.number else { return 0 }
        return try access { database in
            let select = try Query(
                """
                SELECT sum((SELECT count(*) FROM operations INDEXED BY operations_by_chain
                    WHERE conversation = ?1 AND lane = 1 AND device = chain.device AND type = 32
                        AND availability IN (0, 2) AND sequence > coalesce(mark.sequence, 0)))
                FROM (SELECT DISTINCT device FROM tips WHERE conversation = ?1 AND lane = 1) AS chain
                JOIN devices ON devices.n = chain.device
                LEFT JOIN read_marks AS mark ON mark.conversation = ?1 AND mark.device = chain.device
                WHERE devices.user NOT IN (\(Self.parameters(from: 2, count: blocked.count + 1)))
                """, on: database)
            try select.bind(number, at: 1)
            for (index, person) in ([user] + blocked.sorted()).enumerated() {
                try select.bind(person, at: Int32(index + 2))
            }
            return Int(try select.first { $0.number(0) } ?? 0)
        }
    }

    /// The names of so many values that are bound.
    static func parameters(from first: Int, count: Int) -> String {
        (first..<first + count).map { "?\($0)" }.joined(separator: ", ")
    }

    /// The same for every conversation in which something is unread, in one query.
    public func unreadCounts(
        for user: UserID, without blocked: Set<UserID> = []
    ) throws(StoreError) -> [ConversationID: Int] {
        try access { database in
            let select = try Query(
                """
                SELECT conversation, sum(unread) FROM (
                    SELECT chain.conversation AS conversation,
                        (SELECT count(*) FROM operations INDEXED BY operations_by_chain
                        WHERE conversation = chain.conversation AND lane = 1 AND device = chain.device AND type = 32
                            AND availability IN (0, 2) AND sequence > coalesce(mark.sequence, 0)) AS unread
                    FROM (SELECT DISTINCT conversation, device FROM tips WHERE lane = 1) AS chain
                    JOIN devices ON devices.n = chain.device
                    LEFT JOIN read_marks AS mark
                        ON mark.conversation = chain.conversation AND mark.device = chain.device
                    WHERE devices.user NOT IN (\(Self.parameters(from: 1, count: blocked.count + 1))))
                GROUP BY conversation HAVING sum(unread) > 0
                """, on: database)
            for (index, person) in ([user] + blocked.sorted()).enumerated() {
                try select.bind(person, at: Int32(index + 1))
            }
            var counts: [ConversationID: Int] = [:]
            try select.forEachRow { row in
                counts[try register.conversation(row.number(0)).id] = Int(row.number(1))
                return true
            }
            return counts
        }
    }
}
