import Cryptography
import GRDB
import OperationLog
import Storage
import Time

extension ReplicaStore {
    /// What a client's request made, if it came before and is still remembered; nil for a new one.
    ///
    /// - Parameters:
    ///   - name: as of ``ClientRequest/name``.
    ///   - now: this moment, from which ``ClientRequest/lifetime`` counts back.
    public func request(_ name: Digest, at now: Timestamp) throws(StoreError) -> StoredClientRequest? {
        try access { database in
            let find = try Query(
                "SELECT sealed, first, last FROM requests WHERE name = ?1 AND made_at > ?2", on: database)
            try find.bind(name.bytes, at: 1)
            try find.bind(now.milliseconds - ClientRequest.lifetime, at: 2)
            guard let row = try find.first({ ($0.bytes(0), $0.number(1), $0.number(2)) }) else { return nil }
            let select = try Query(
                "SELECT id FROM operations WHERE n BETWEEN ?1 AND ?2 AND type = 32 ORDER BY n", on: database)
            try select.bind(row.1, at: 1)
            try select.bind(row.2, at: 2)
            return StoredClientRequest(sealed: row.0, made: try select.map { try $0.identifier(0) })
        }
    }

    /// Remembers what a client's request made, and forgets what is too old or too many.
    ///
    /// - Parameters:
    ///   - rows: the places of what was committed for it, which follow each other.
    ///   - time: when it was committed.
    /// - Complexity: O(log *n*), and O(*m*) in what is forgotten.
    static func store(
        _ request: ClientRequest, made rows: ClosedRange<Int64>, at time: Timestamp, on database: Database
    ) throws {
        let old = try Query("DELETE FROM requests WHERE made_at <= ?1", on: database)
        try old.bind(time.milliseconds - ClientRequest.lifetime, at: 1)
        try old.run()
        let insert = try Query(
            "INSERT OR REPLACE INTO requests(name, sealed, first, last, made_at) VALUES(?1, ?2, ?3, ?4, ?5)",
            on: database)
        try insert.bind(request.name.bytes, at: 1)
        try insert.bind(request.sealed, at: 2)
        try insert.bind(rows.lowerBound, at: 3)
        try insert.bind(rows.upperBound, at: 4)
        try insert.bind(time.milliseconds, at: 5)
        try insert.run()
        let many = try Query("DELETE FROM requests WHERE n <= ?1", on: database)
        try many.bind(insert.lastInsertedRow - Int64(ClientRequest.maximumCount), at: 1)
        try many.run()
    }
}
