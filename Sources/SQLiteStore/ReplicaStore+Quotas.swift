import GRDB
import OperationLog
import Storage

extension ReplicaStore {
    /// The operations whose bodies are declined, in the order of arrival.
    ///
    /// - Complexity: O(*n*) in them.
    public func declined(in conversation: ConversationID) throws(StoreError) -> [OperationLog.Operation] {
        guard let number = register[conversation]?.number else { return [] }
        return try access { database in
            let select = try Query(
                """
                SELECT \(StoredOperation.columns) FROM operations INDEXED BY declined_by_arrival
                WHERE conversation = ?1 AND availability = 5 ORDER BY n
                """, on: database)
            try select.bind(number, at: 1)
            let reading = try StoredOperation(using: register, on: database)
            return try select.map { try reading.read($0) }
        }
    }

    /// How many bytes the closed bodies of each author take that are here or wanted; nobody of whom there are none.
    ///
    /// - Complexity: O(*d*) in the devices that wrote in the conversation.
    public func bodyBytes(in conversation: ConversationID) throws(StoreError) -> [UserID: Int] {
        guard let number = register[conversation]?.number else { return [:] }
        return try access { database in
            let select = try Query(
                "SELECT device, bytes FROM shares WHERE conversation = ?1 AND bytes > 0", on: database)
            try select.bind(number, at: 1)
            var bytes: [UserID: Int] = [:]
            try select.forEachRow { row in
                bytes[try register.device(row.number(0)).user, default: 0] += Int(row.number(1))
                return true
            }
            return bytes
        }
    }

    /// Makes declined bodies wanted, in one transaction.
    public func want(
        _ operations: [OperationLog.Operation], in conversation: ConversationID
    ) throws(StoreError) {
        guard let number = register[conversation]?.number, !operations.isEmpty else { return }
        let register = register
        try transaction { database in
            let find = try Query(
                """
                SELECT n FROM \(StoredOperation.byID)
                WHERE substr(id, 1, 8) = substr(?1, 1, 8) AND id = ?1 AND conversation = ?2 AND availability = 5
                """, on: database)
            try find.bind(number, at: 2)
            let update = try Query("UPDATE operations SET availability = 2 WHERE n = ?1", on: database)
            let want = try Query("INSERT OR IGNORE INTO wanted(conversation, operation) VALUES(?1, ?2)", on: database)
            try want.bind(number, at: 1)
            var bytes: [Int64: Int] = [:]
            for operation in operations {
                try find.bind(operation.id, at: 1)
                guard let place = try find.first({ $0.number(0) }),
                    let device = register.number(of: operation.author.id)
                else { continue }
                try update.bind(place, at: 1)
                try update.run()
                try want.bind(operation.id, at: 2)
                try want.run()
                bytes[device, default: 0] += operation.header.bodyLength
            }
            try Self.count(bytes, in: number, on: database)
        }
    }

    /// Counts bodies that came or are wanted from now on.
    ///
    /// - Parameter bytes: how many, by the number of the device that wrote them.
    static func count(_ bytes: [Int64: Int], in conversation: Int64, on database: Database) throws {
        guard !bytes.isEmpty else { return }
        let upsert = try Query(
            """
            INSERT INTO shares(conversation, device, bytes) VALUES(?1, ?2, ?3)
            ON CONFLICT(conversation, device) DO UPDATE SET bytes = bytes + excluded.bytes
            """, on: database)
        try upsert.bind(conversation, at: 1)
        for (device, count) in bytes.sorted(by: { $0.key < $1.key }) {
            try upsert.bind(device, at: 2)
            try upsert.bind(Int64(count), at: 3)
            try upsert.run()
        }
    }
}
