import Cryptography
import GRDB
import OperationLog
import Storage
import Time

extension ReplicaStore {
    /// Messages of a conversation in their order, strictly between two places. Those that are closed to this device,
    /// withheld or expired are left out.
    ///
    /// With `after` the first ones that follow it, else the last ones there are (before `before`, where it is given).
    /// Either way the answer is in ascending order.
    ///
    /// - Complexity: O(`limit`), whatever the size of the conversation.
    public func messages(
        in conversation: ConversationID, before: MessagePosition? = nil, after: MessagePosition? = nil, limit: Int
    ) throws(StoreError) -> [StoredMessage] {
        guard let number = register[conversation]?.number, limit > 0 else { return [] }
        let isForward = after != nil
        let direction = isForward ? "ASC" : "DESC"
        var conditions = ""
        // The first comparison of each pair finds the place in the index; the second decides among equal times.
        if before != nil {
            conditions += " AND effective_time <= ?2 AND (effective_time < ?2 OR id < ?3)"
        }
        if after != nil {
            conditions += " AND effective_time >= ?4 AND (effective_time > ?4 OR id > ?5)"
        }
        let sql = """
            SELECT \(StoredOperation.columns), received_at FROM \(StoredOperation.byTime)
                AND conversation = ?1 AND type = 32\(conditions)
            ORDER BY effective_time \(direction), id \(direction) LIMIT ?6
            """
        let found = try access { database in
            let select = try Query(sql, on: database)
            try select.bind(number, at: 1)
            if let before {
                try select.bind(before.hybridTime, at: 2)
                try select.bind(before.id, at: 3)
            }
            if let after {
                try select.bind(after.hybridTime, at: 4)
                try select.bind(after.id, at: 5)
            }
            try select.bind(Int64(limit), at: 6)
            let reading = try StoredOperation(using: register, on: database)
            return try select.map { try Self.message(in: $0, reading) }
        }
        return isForward ? found : found.reversed()
    }

    /// The message of a name, or nil if it is not here or withheld.
    public func message(_ id: OperationID) throws(StoreError) -> StoredMessage? {
        try access { database in
            let select = try Query(
                """
                SELECT \(StoredOperation.columns), received_at FROM \(StoredOperation.byID)
                WHERE substr(id, 1, 8) = substr(?1, 1, 8) AND id = ?1 AND type = 32 AND availability <> 6
                """, on: database)
            try select.bind(id, at: 1)
            let reading = try StoredOperation(using: register, on: database)
            return try select.first { try Self.message(in: $0, reading) }
        }
    }

    /// The place of a message in the order of messages, also of one that is withheld: a page may have been cut there
    /// before it was; nil if it is not here.
    public func position(
        of message: OperationID, in conversation: ConversationID
    ) throws(StoreError) -> MessagePosition? {
        guard let number = register[conversation]?.number else { return nil }
        return try access { database in
            let find = try Query(
                """
                SELECT effective_time FROM \(StoredOperation.byID)
                WHERE substr(id, 1, 8) = substr(?1, 1, 8) AND id = ?1 AND conversation = ?2 AND type = 32
                """, on: database)
            try find.bind(message, at: 1)
            try find.bind(number, at: 2)
            return try find.first { MessagePosition(hybridTime: $0.number(0), id: message) }
        }
    }

    /// When operations were committed here, by the clock of the host then; what is not here is left out.
    ///
    /// - Complexity: one look-up in an index for each, about 5 µs.
    public func arrivals(
        of operations: [OperationID], in conversation: ConversationID
    ) throws(StoreError) -> [OperationID: Timestamp] {
        guard !operations.isEmpty, let number = register[conversation]?.number else { return [:] }
        return try access { database in
            let find = try Query(
                """
                SELECT received_at FROM \(StoredOperation.byID)
                WHERE substr(id, 1, 8) = substr(?1, 1, 8) AND id = ?1 AND conversation = ?2
                """, on: database)
            try find.bind(number, at: 2)
            var found: [OperationID: Timestamp] = [:]
            for id in operations {
                try find.bind(id, at: 1)
                found[id] = try find.first { Timestamp(clamping: $0.number(0)) }
            }
            return found
        }
    }

    /// The messages of all conversations whose names begin with hexadecimal digits, ascending; at most `limit`.
    ///
    /// - Parameter prefix: 1 to 64 lowercase digits; anything else matches nothing.
    public func messages(matching prefix: String, limit: Int = 2) throws(StoreError) -> [OperationID] {
        guard let (low, high) = Self.bounds(of: prefix) else { return [] }
        return try access { database in
            let select = try Query(
                """
                SELECT id FROM \(StoredOperation.byID)
                WHERE substr(id, 1, 8) BETWEEN substr(?1, 1, 8) AND substr(?2, 1, 8) AND id BETWEEN ?1 AND ?2
                    AND type = 32 AND availability NOT IN (1, 6)
                ORDER BY id LIMIT ?3
                """, on: database)
            try select.bind(low, at: 1)
            try select.bind(high, at: 2)
            try select.bind(Int64(limit), at: 3)
            return try select.map { try $0.identifier(0) }
        }
    }

    /// The first and the last name that begin with some hexadecimal digits; nil if they are none or too many.
    private static func bounds(of prefix: String) -> (low: OperationID, high: OperationID)? {
        let digits = prefix.utf8.count
        guard (1...64).contains(digits),
            let low = OperationID(hexadecimal: prefix + String(repeating: "0", count: 64 - digits)),
            let high = OperationID(hexadecimal: prefix + String(repeating: "f", count: 64 - digits))
        else { return nil }
        return (low, high)
    }

    /// A content operation that is here, or nil; with its body where that is here.
    public func operation(_ id: OperationID, of conversation: ConversationID) throws(StoreError) -> Operation? {
        try operation(id).flatMap { $0.header.conversation == conversation && $0.header.lane == .content ? $0 : nil }
    }

    /// The operation of a name in either lane, or nil if it is not here.
    public func operation(_ id: OperationID) throws(StoreError) -> Operation? {
        try access { database in
            let select = try Query(
                """
                SELECT \(StoredOperation.columns) FROM \(StoredOperation.byID)
                WHERE substr(id, 1, 8) = substr(?1, 1, 8) AND id = ?1
                """, on: database)
            try select.bind(id, at: 1)
            let reading = try StoredOperation(using: register, on: database)
            return try select.first { try reading.read($0) }
        }
    }

    /// The operations of a conversation whose names begin with hexadecimal digits, ascending; at most `limit`.
    ///
    /// - Parameter prefix: 1 to 64 lowercase digits; anything else matches nothing.
    public func operations(
        matching prefix: String, in conversation: ConversationID, limit: Int = 2
    ) throws(StoreError) -> [OperationID] {
        guard let number = register[conversation]?.number, let (low, high) = Self.bounds(of: prefix) else { return [] }
        return try access { database in
            let select = try Query(
                """
                SELECT id FROM \(StoredOperation.byID)
                WHERE substr(id, 1, 8) BETWEEN substr(?1, 1, 8) AND substr(?2, 1, 8) AND id BETWEEN ?1 AND ?2
                    AND conversation = ?3
                ORDER BY id LIMIT ?4
                """, on: database)
            try select.bind(low, at: 1)
            try select.bind(high, at: 2)
            try select.bind(number, at: 3)
            try select.bind(Int64(limit), at: 4)
            return try select.map { try $0.identifier(0) }
        }
    }

    /// How many content operations a conversation has, messages or not.
    ///
    /// - Complexity: O(*n*) in the operations counted, about 0.02 µs each.
    public func contentCount(of conversation: ConversationID) throws(StoreError) -> Int {
        guard let number = register[conversation]?.number else { return 0 }
        return try access { database in
            let select = try Query(
                """
                SELECT count(*) FROM operations INDEXED BY operations_by_chain WHERE conversation = ?1 AND lane = 1
                """, on: database)
            try select.bind(number, at: 1)
            return Int(try select.first { $0.number(0) } ?? 0)
        }
    }

    static func message(in row: QueryRow, _ reading: StoredOperation) throws -> StoredMessage {
        StoredMessage(
            operation: try reading.read(row),
            hybridTime: StoredOperation.hybridTime(in: row),
            receivedAt: Timestamp(clamping: row.number(StoredOperation.columnCount)))
    }
}
