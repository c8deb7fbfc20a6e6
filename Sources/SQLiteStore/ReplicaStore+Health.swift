import Cryptography
import GRDB
import Glibc
import OperationLog
import Storage

extension ReplicaStore {
    /// Looks for damage: SQLite's own check with its indexes, then whether every operation's bytes still have its name,
    /// every signature is its author's, every chain ends where its operations do, and what is derived of them is what
    /// they say.
    ///
    /// - Parameter progress: told now and then how many operations were looked at.
    /// - Returns: what is wrong, one finding an entry; empty if all is well.
    /// - Complexity: reads and hashes the whole file; about 100 µs more for each signature, of which every commit has
    ///   one.
    public func integrityCheck(progress: (Int) -> Void = { _ in }) throws(StoreError) -> [StoreFinding] {
        try access { database in
            let pages = try damagedPages(on: database)
            // Of a file whose pages are damaged nothing more is sure; where only an index is, its rows are.
            guard pages.allSatisfy(\.isIndex) else { return pages.map(\.finding) }
            let damaged = try damagedOperations(on: database, progress)
            // Where chains end is told by their operations, so only by those that can be read and found.
            let isReadable = pages.isEmpty && damaged.allSatisfy { $0.part == .signature }
            return try pages.map(\.finding) + damaged + (isReadable ? misplacedTips(on: database) : [])
                + (pages.isEmpty ? wrongCounts(on: database) + damagedTexts(on: database) : [])
        }
    }

    /// How many operations there are, of all conversations.
    public func operationCount() throws(StoreError) -> Int {
        try access { Int(try Query("SELECT count(*) FROM operations", on: $0).first { $0.number(0) } ?? 0) }
    }

    /// Bytes on disk, the write-ahead log included.
    public var fileSize: Int {
        [path, path + "-wal"].reduce(0) { total, file in
            var status = stat()
            return stat(file, &status) == 0 ? total + Int(status.st_size) : total
        }
    }

    /// Bytes that this user may still write on the file's disk; nil if the system does not say.
    public var freeBytes: UInt64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }

    /// The version of the schema, the one every opened file is brought to.
    public var schemaVersion: Int { Schema.version }

    /// What SQLite finds; of an index one finding, however many of its entries are wrong.
    private func damagedPages(on database: Database) throws -> [(finding: StoreFinding, isIndex: Bool)] {
        var indexes: Set<String> = []
        var found: [(StoreFinding, Bool)] = []
        for sentence in try Query("PRAGMA integrity_check", on: database).map({ $0.text(0) }) where sentence != "ok" {
            guard let index = sentence.firstRange(of: " index ").map({ String(sentence[$0.upperBound...]) }) else {
                found.append((StoreFinding(.database, "The database file is damaged: \(sentence)"), false))
                continue
            }
            guard indexes.insert(index).inserted else { continue }
            found.append((StoreFinding(.database, "The index \(index) does not fit its table: \(sentence)"), true))
        }
        return found
    }

    private func damagedOperations(on database: Database, _ progress: (Int) -> Void) throws -> [StoreFinding] {
        var findings: [StoreFinding] = []
        var count = 0
        let reading = try StoredOperation(using: register, on: database)
        try Query("SELECT \(StoredOperation.columns) FROM operations ORDER BY n", on: database).forEachRow { row in
            count += 1
            if count.isMultiple(of: 1_000) { progress(count) }
            let conversation = try? register.conversation(row.number(6)).id
            let id: OperationID? = try? row.identifier(2)
            func find(_ part: StoreFinding.Part, _ sentence: String) {
                findings.append(StoreFinding(part, sentence, conversation: conversation, operation: id))
            }
            do {
                let operation = try reading.read(row)
                if Operation.id(of: operation.header.encoded) != operation.id {
                    find(
                        .operation, "The header or the body of operation \(operation.id) is not what its author signed")
                } else if operation.author.id != operation.header.device {
                    find(.operation, "Operation \(operation.id) is filed under another device")
                } else if let signature = operation.signature,
                    !operation.author.key.verifies(signature, of: Operation.statement(of: operation.id))
                {
                    find(.signature, "The signature of operation \(operation.id) is not its author's")
                }
            } catch {
                let name = id.map { "\($0)" } ?? "in row \(StoredOperation.arrival(in: row))"
                find(.operation, "Operation \(name) cannot be read: \(error)")
            }
            return true
        }
        progress(count)
        return findings
    }

    /// Whether messages are counted right, as far as statistics say.
    private func wrongCounts(on database: Database) throws -> [StoreFinding] {
        let counted = "SELECT conversation, quarter, device, messages FROM message_counts"
        let written = """
            SELECT conversation, effective_time / \(MessageCounts.quarterHour), device, count(*) FROM operations
            WHERE lane = 1 AND type = 32 AND availability = 0 GROUP BY 1, 2, 3
            """
        let differs = try Query(
            """
            SELECT DISTINCT conversation FROM (
                SELECT * FROM (\(counted) EXCEPT \(written)) UNION ALL SELECT * FROM (\(written) EXCEPT \(counted)))
            """, on: database)
        return try differs.map { row in
            let conversation = try? register.conversation(row.number(0)).id
            return StoreFinding(
                .statistics,
                "The statistics of conversation \(conversation.map { "\($0)" } ?? "?") count other messages than there are",
                conversation: conversation)
        }
    }

    /// Whether the index of words fits the texts that it is of.
    private func damagedTexts(on database: Database) throws -> [StoreFinding] {
        guard try TextIndex.exists(in: database) else { return [] }
        do {
            try database.execute(sql: "INSERT INTO texts(texts) VALUES('integrity-check')")
            return []
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return [StoreFinding(.searchIndex, "The index of words is damaged")]
        }
    }

    private func misplacedTips(on database: Database) throws -> [StoreFinding] {
        var findings: [StoreFinding] = []
        for conversation in register.conversations {
            for lane in Lane.allCases {
                var rebuilt = Frontier()
                let reading = try StoredOperation(using: register, on: database)
                let select = try Query(
                    "SELECT \(StoredOperation.columns) FROM operations WHERE conversation = ?1 AND lane = ?2 ORDER BY n",
                    on: database)
                try select.bind(conversation.number, at: 1)
                try select.bind(Int64(lane.rawValue), at: 2)
                try select.forEachRow { row in
                    let operation = try reading.read(row)
                    rebuilt.append(
                        ChainTip(sequenceNumber: operation.header.sequenceNumber, id: operation.id),
                        after: operation.header.previous, of: operation.author.id)
                    return true
                }
                if try frontier(of: conversation.number, lane: lane, on: database) != rebuilt {
                    findings.append(
                        StoreFinding(
                            .chains,
                            "The chains of conversation \(conversation.id) do not end where their operations do",
                            conversation: conversation.id))
                }
            }
        }
        return findings
    }
}
