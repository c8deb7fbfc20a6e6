import GRDB
import Glibc
import OperationLog
import Storage

extension ReplicaStore {
    /// Looks for damage: SQLite's own check, then whether every operation's bytes still have its name and every chain its
    /// end.
    ///
    /// - Returns: what is wrong, one finding an entry; empty if all is well.
    /// - Complexity: reads and hashes the whole file.
    public func integrityCheck() throws(StoreError) -> [String] {
        try access { database in
            let findings = try Query("PRAGMA integrity_check", on: database).map { $0.text(0) }.filter { $0 != "ok" }
            guard findings.isEmpty else { return findings }
            let damaged = try damagedOperations(on: database)
            // Where chains end is told by their operations, so only by those that can be read.
            return try damaged.isEmpty ? misplacedTips(on: database) : damaged
        }
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

    private func damagedOperations(on database: Database) throws -> [String] {
        var findings: [String] = []
        let reading = try StoredOperation(using: register, on: database)
        try Query("SELECT \(StoredOperation.columns) FROM operations ORDER BY n", on: database).forEachRow { row in
            let arrival = StoredOperation.arrival(in: row)
            do {
                let operation = try reading.read(row)
                if Operation.id(of: operation.header.encoded) != operation.id {
                    findings.append("the header of operation \(arrival) does not have its name")
                } else if let body = operation.body, Operation.digest(of: body) != operation.header.bodyDigest {
                    findings.append("the body of operation \(arrival) does not have its digest")
                } else if operation.author.id != operation.header.device {
                    findings.append("operation \(arrival) is filed under another device")
                }
            } catch {
                findings.append("operation \(arrival) cannot be read: \(error)")
            }
            return true
        }
        return findings
    }

    private func misplacedTips(on database: Database) throws -> [String] {
        var findings: [String] = []
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
                        "the chains of conversation \(conversation.id) do not end where their operations do")
                }
            }
        }
        return findings
    }
}
