import Cryptography
import GRDB
import OperationLog
import Storage

/// Rewrites the headers of version 10, which named operations by their whole ids, to those of version 11, which name them by their rows.
///
/// This is a step of ``Schema``, so it stays as it is, whatever becomes of ``StoredHeader``.
enum ReferenceMigration {
    /// Rows that are read before they are written back.
    private static let chunk = 4_096
    /// Ids whose rows are remembered. Of the others the index is asked.
    private static let remembered = 65_536

    /// A header that cannot be read is put into a table of its own, as it was, and its row has an empty one. Its operation is as unreadable as it was
    /// before, and the others are not held up by it.
    ///
    /// - Parameter progress: told now and then how much of it is done, from 0 to 1.
    /// - Complexity: O(*n*), about 10 µs an operation; the write-ahead log takes about what the operations take.
    static func run(on database: Database, progress: (Double) -> Void) throws {
        let total = try Query("SELECT max(n) FROM operations", on: database).first { $0.isNull(0) ? 0 : $0.number(0) }
        let select = try Query(
            """
            SELECT n, id, lane, sequence, effective_time, header FROM operations WHERE n > ?1 ORDER BY n LIMIT \(chunk)
            """, on: database)
        let update = try Query("UPDATE operations SET header = ?2 WHERE n = ?1", on: database)
        var rows = Rows(find: try Query(Rows.search, on: database))
        var last: Int64 = 0
        while true {
            try select.bind(last, at: 1)
            let read = try select.map { row in
                (
                    number: row.number(0), id: try row.identifier(1, as: OperationID.self), lane: row.number(2),
                    sequence: row.number(3), hybridTime: row.number(4), header: row.bytes(5)
                )
            }
            guard let end = read.last?.number else { return }
            for row in read {
                var header: [UInt8] = []
                do {
                    header = try rewritten(
                        row.header, isContent: row.lane == 1, sequence: row.sequence, hybridTime: row.hybridTime,
                        rows: rows)
                } catch let error where error is MalformedBytes || error as? StoreError == damaged {
                    try setAside(row.header, of: row.number, on: database)
                }
                try update.bind(row.number, at: 1)
                try update.bind(header, at: 2)
                try update.run()
                rows.note(row.id, as: row.number)
            }
            last = end
            progress(Double(last) / Double(max(last, total ?? 0)))
        }
    }

    private static let damaged = StoreError.corrupted("a stored header is damaged")

    private static func setAside(_ header: [UInt8], of number: Int64, on database: Database) throws {
        try database.execute(
            sql: "CREATE TABLE IF NOT EXISTS \(DamagedHeaders.table)(n INTEGER PRIMARY KEY, header BLOB NOT NULL)")
        let insert = try Query("INSERT INTO \(DamagedHeaders.table)(n, header) VALUES(?1, ?2)", on: database)
        try insert.bind(number, at: 1)
        try insert.bind(header, at: 2)
        try insert.run()
    }

    private static func rewritten(
        _ header: [UInt8], isContent: Bool, sequence: Int64, hybridTime: Int64, rows: Rows
    ) throws -> [UInt8] {
        var reader = CanonicalReader(header)
        var writer = CanonicalWriter(capacity: header.count)
        guard try reader.number() == UInt64(exactly: sequence) else {
            throw damaged
        }
        if sequence > 1 { try write(reader.identifier(), to: &writer, rows: rows) }
        let dependencies: [OperationID] = try reader.ascending(of: "dependencies", limit: Limits.maximumDependencies)
        writer.write(count: dependencies.count)
        for dependency in dependencies { try write(dependency, to: &writer, rows: rows) }
        if isContent {
            let heads = try reader.count(of: "membership heads", limit: Limits.maximumDependencies, each: 1)
            writer.write(count: heads)
            for _ in 0..<heads {
                let number = try reader.number()
                writer.write(number: number)
                if number == 0 { writer.write(try reader.identifier(OperationID.self)) }
            }
            let form = try reader.byte()
            writer.write(byte: form)
            if form == 2 { writer.write(try reader.identifier(OperationID.self)) }
        }
        let (difference, isTooFar) = Int64(clamping: try reader.number()).subtractingReportingOverflow(hybridTime)
        guard !isTooFar else { throw damaged }
        writer.write(difference: difference)
        writer.write(raw: try reader.raw(reader.remaining))
        return writer.bytes
    }

    private static func write(_ id: OperationID, to writer: inout CanonicalWriter, rows: Rows) throws {
        guard let number = try rows.number(of: id) else {
            writer.write(number: 0)
            return writer.write(id)
        }
        writer.write(number: UInt64(number))
    }

    /// The rows of operations that were passed.
    private struct Rows {
        static let search =
            "SELECT n FROM \(StoredOperation.byID) WHERE substr(id, 1, 8) = substr(?1, 1, 8) AND id = ?1"

        let find: Query
        private var known: [OperationID: Int64] = [:]

        init(find: Query) { self.find = find }

        func number(of id: OperationID) throws -> Int64? {
            if let number = known[id] { return number }
            try find.bind(id, at: 1)
            return try find.first { $0.number(0) }
        }

        mutating func note(_ id: OperationID, as number: Int64) {
            if known.count >= ReferenceMigration.remembered { known.removeAll(keepingCapacity: true) }
            known[id] = number
        }
    }
}
