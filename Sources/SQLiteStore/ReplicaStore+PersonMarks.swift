import Cryptography
import GRDB
import OperationLog
import Storage

extension ReplicaStore {
    private static let earlierKeys = (blocked: "blocked", verified: "verified")

    /// What the user keeps for themselves about people, sealed for rest, by names that tell nobody whom it is about.
    public func personMarks() throws(StoreError) -> [Digest: [UInt8]] {
        try access { database in
            var marks: [Digest: [UInt8]] = [:]
            try Query("SELECT name, sealed FROM person_marks", on: database).forEachRow { row in
                guard let name = Digest(bytes: row.bytes(0)) else { throw StoreError.corrupted("the name of a mark") }
                marks[name] = row.bytes(1)
                return true
            }
            return marks
        }
    }

    /// Keeps marks of people, each in the place of what had its name, and forgets others by their names; in one transaction.
    public func save(personMarks sealed: [Digest: [UInt8]], forgetting names: [Digest]) throws(StoreError) {
        try transaction { database in
            try Self.insert(sealed, into: database)
            let delete = try Query("DELETE FROM person_marks WHERE name = ?1", on: database)
            for name in names {
                try delete.bind(name.bytes, at: 1)
                try delete.run()
            }
        }
    }

    private static func insert(_ marks: [Digest: [UInt8]], into database: Database) throws {
        let upsert = try Query(
            "INSERT INTO person_marks(name, sealed) VALUES(?1, ?2) ON CONFLICT(name) DO UPDATE SET sealed = excluded.sealed",
            on: database)
        for (name, sealed) in marks {
            try upsert.bind(name.bytes, at: 1)
            try upsert.bind(sealed, at: 2)
            try upsert.run()
        }
    }

    // MARK: - Earlier versions

    /// Whom the user marked, as versions kept it that wrote whole lists; nil where there is none of that.
    public func earlierPersonMarks() throws(StoreError) -> EarlierPersonMarks? {
        let blocked = try setting(Self.earlierKeys.blocked)
        let verified = try setting(Self.earlierKeys.verified)
        let users: [UserID] = try access { database in
            try Query("SELECT user FROM verified_users ORDER BY user", on: database).map { try $0.identifier(0) }
        }
        return EarlierPersonMarks(blocked: blocked, verified: verified, verifiedUsers: users)
    }

    /// Keeps marks of people in the place of ``earlierPersonMarks()``; in one transaction.
    public func replaceEarlierPersonMarks(with sealed: [Digest: [UInt8]]) throws(StoreError) {
        try transaction { database in
            try Self.insert(sealed, into: database)
            try Self.set(Self.earlierKeys.blocked, to: nil, in: database)
            try Self.set(Self.earlierKeys.verified, to: nil, in: database)
            try database.execute(sql: "DELETE FROM verified_users")
        }
    }
}
