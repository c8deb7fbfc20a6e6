import Cryptography
import GRDB
import OperationLog
import Storage

extension ReplicaStore {
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

    /// Keeps marks of people, each in the place of what had its name, and forgets others by their names; in one
    /// transaction.
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
}
