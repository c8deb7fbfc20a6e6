import GRDB
import Storage

/// Headers that a migration could not read, as they were.
enum DamagedHeaders {
    /// Only a file that had any has it.
    static let table = "damaged_headers"

    /// How many there are.
    static func count(in database: Database) throws -> Int {
        guard try database.tableExists(table) else { return 0 }
        return try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? 0
    }
}

extension ReplicaStore {
    /// Operations whose headers were damaged when the file was carried over to a later version. They cannot be read, as before; the rest can.
    ///
    /// - Complexity: O(*n*) in those.
    public func damagedCount() throws(StoreError) -> Int { try access { try DamagedHeaders.count(in: $0) } }
}
