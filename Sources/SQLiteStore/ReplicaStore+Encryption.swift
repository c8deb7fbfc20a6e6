import GRDB
import OperationLog
import Storage
import Time

extension ReplicaStore {
    /// What a conversation has of keys, and which bodies it lacks.
    ///
    /// - Complexity: O(*e* + *w* log *n*) in its epochs and the wanted bodies, whatever the size of the content lane.
    public func encryption(of conversation: ConversationID) throws(StoreError) -> StoredEncryption {
        guard let number = register[conversation]?.number else {
            return StoredEncryption(operations: [], keys: [:], erased: [], wanted: [])
        }
        return try access { database in
            let select = try Query(
                """
                SELECT \(StoredOperation.columns) FROM operations INDEXED BY epochs_by_arrival
                WHERE conversation = ?1 AND type BETWEEN 33 AND 35 ORDER BY n
                """, on: database)
            try select.bind(number, at: 1)
            let reading = try StoredOperation(using: register, on: database)
            let operations = try select.map { try reading.read($0) }
            let keys = try Query("SELECT epoch, sealed FROM epoch_keys WHERE conversation = ?1", on: database)
            try keys.bind(number, at: 1)
            var sealed: [OperationID: [UInt8]] = [:]
            var erased: Set<OperationID> = []
            try keys.forEachRow { row in
                let epoch: OperationID = try row.identifier(0)
                if row.isNull(1) { erased.insert(epoch) } else { sealed[epoch] = row.bytes(1) }
                return true
            }
            let wanted = try Query(
                """
                SELECT id, device, sequence FROM wanted CROSS JOIN \(StoredOperation.byID)
                WHERE wanted.conversation = ?1 AND substr(id, 1, 8) = substr(operation, 1, 8) AND id = operation
                ORDER BY n
                """, on: database)
            try wanted.bind(number, at: 1)
            let bodies = try wanted.map { row in
                WantedBody(
                    operation: try row.identifier(0), author: try register.device(row.number(1)),
                    sequenceNumber: try row.sequenceNumber(2))
            }
            return StoredEncryption(operations: operations, keys: sealed, erased: erased, wanted: bodies)
        }
    }

    static func store(_ encryption: EncryptionCommit, of conversation: Int64, on database: Database) throws {
        try store(encryption.keys, of: conversation, on: database)
        guard !encryption.wanted.isEmpty else { return }
        let want = try Query("INSERT OR IGNORE INTO wanted(conversation, operation) VALUES(?1, ?2)", on: database)
        try want.bind(conversation, at: 1)
        for operation in encryption.wanted.sorted() {
            try want.bind(operation, at: 2)
            try want.run()
        }
    }

    private static func store(
        _ keys: [OperationID: [UInt8]], of conversation: Int64, on database: Database
    ) throws {
        guard !keys.isEmpty else { return }
        let insert = try Query(
            "INSERT OR REPLACE INTO epoch_keys(conversation, epoch, sealed) VALUES(?1, ?2, ?3)", on: database)
        try insert.bind(conversation, at: 1)
        for (epoch, sealed) in keys.sorted(by: { $0.key < $1.key }) {
            try insert.bind(epoch, at: 2)
            try insert.bind(sealed, at: 3)
            try insert.run()
        }
    }

    /// Adds bodies that had been missing to operations that are here, and the keys that came with them, and erases what
    /// was taken back, in one transaction.
    public func fill(
        _ bodies: [(id: OperationID, body: [UInt8])], keys: [OperationID: [UInt8]], erasing takenBack: [OperationID],
        in conversation: ConversationID
    ) throws(StoreError) {
        guard let number = register[conversation]?.number else { return }
        let register = register
        try transaction { database in
            let find = try Query(
                """
                SELECT n, type, body IS NULL FROM \(StoredOperation.byID)
                WHERE substr(id, 1, 8) = substr(?1, 1, 8) AND id = ?1
                """, on: database)
            let counting = try MessageCounting(on: database)
            let annotate = try Query(
                """
                INSERT OR IGNORE INTO annotations(n, conversation, person, type, time, branch)
                SELECT n, conversation, (SELECT min(own.n) FROM devices JOIN devices AS own USING(user)
                    WHERE devices.n = device), type, effective_time, substr(id, 1, 8) FROM operations WHERE n = ?1
                """, on: database)
            let update = try Query(
                """
                UPDATE operations SET body = ?2, availability = 0, header = substr(header, 1, length(header) - 32)
                WHERE n = ?1 AND body IS NULL
                """, on: database)
            let delete = try Query("DELETE FROM wanted WHERE conversation = ?1 AND operation = ?2", on: database)
            try delete.bind(number, at: 1)
            for (id, body) in bodies {
                try find.bind(id, at: 1)
                let row = try find.first {
                    (place: $0.number(0), type: UInt64(bitPattern: $0.number(1)), isMissing: $0.number(2) != 0)
                }
                guard let (place, type, isMissing) = row else { continue }
                try update.bind(place, at: 1)
                try update.bind(body, at: 2)
                try update.run()
                if isMissing { try counting.count(place) }
                if OperationType(rawValue: type).isAnnotation {
                    try annotate.bind(place, at: 1)
                    try annotate.run()
                }
                try delete.bind(id, at: 2)
                try delete.run()
            }
            try Self.store(keys, of: number, on: database)
            try Self.erase(takenBack, of: number, on: database, using: register)
        }
        clearLog(isDue: !takenBack.isEmpty)
    }

    /// The secrets to which others seal, sealed for rest, by counter.
    public func wrapSecrets() throws(StoreError) -> [SealedWrapSecret] {
        try access { database in
            try Query("SELECT counter, sealed, made_at, retired_at FROM wrap_keys ORDER BY counter", on: database).map {
                row in
                SealedWrapSecret(
                    counter: try row.sequenceNumber(0), sealed: row.bytes(1),
                    madeAt: Timestamp(clamping: row.number(2)),
                    retiredAt: row.isNull(3) ? nil : Timestamp(clamping: row.number(3)))
            }
        }
    }

    /// Keeps a secret, in the place of the one of the same counter.
    public func save(_ secret: SealedWrapSecret) throws(StoreError) {
        try transaction { database in
            let upsert = try Query(
                "INSERT OR REPLACE INTO wrap_keys(counter, sealed, made_at, retired_at) VALUES(?1, ?2, ?3, ?4)",
                on: database)
            try upsert.bind(Int64(clamping: secret.counter), at: 1)
            try upsert.bind(secret.sealed, at: 2)
            try upsert.bind(secret.madeAt.milliseconds, at: 3)
            if let retiredAt = secret.retiredAt { try upsert.bind(retiredAt.milliseconds, at: 4) }
            try upsert.run()
        }
    }
}
