import Cryptography
import GRDB
import GRDBSQLite
import OperationLog
import Storage

/// A prepared statement with values bound and read in SQLite's own terms.
///
/// GRDB keeps the connection, the transactions and the cache of statements. Its rows box every value, which at a
/// hundred thousand operations a second would cost more than SQLite itself, so here values go straight in and out.
struct Query {
    private let statement: GRDB.Statement
    private let handle: SQLiteStatement

    /// Prepares a statement, or takes it ready from the cache.
    init(_ sql: String, on database: Database) throws {
        statement = try database.cachedStatement(sql: sql)
        handle = statement.sqliteStatement
        reset()
        sqlite3_clear_bindings(handle)
    }

    /// Binds a number.
    ///
    /// - Throws: ``SQLiteFailure`` if SQLite did not take it, as do the others: a value that was not bound would be
    ///   NULL.
    func bind(_ value: Int64, at index: Int32) throws(SQLiteFailure) {
        try check(sqlite3_bind_int64(handle, index, value))
    }

    /// Binds bytes, or NULL; the bytes are copied.
    func bind(_ bytes: [UInt8]?, at index: Int32) throws(SQLiteFailure) {
        guard let bytes else { return try bindNull(at: index) }
        try check(bytes.withUnsafeBytes { bind($0, at: index, keptBy: Self.transient) })
    }

    /// Binds an identifier; its bytes are copied.
    func bind(_ identifier: some DigestIdentifier, at index: Int32) throws(SQLiteFailure) {
        try check(identifier.digest.withUnsafeBytes { bind($0, at: index, keptBy: Self.transient) })
    }

    /// Binds text, which is copied.
    func bind(_ text: String, at index: Int32) throws(SQLiteFailure) {
        try check(sqlite3_bind_text(handle, index, text, -1, Self.transient))
    }

    /// Binds bytes that stay where they are until the statement has been run.
    func bind(borrowing bytes: UnsafeRawBufferPointer, at index: Int32) throws(SQLiteFailure) {
        try check(bind(bytes, at: index, keptBy: nil))
    }

    /// Binds NULL.
    func bindNull(at index: Int32) throws(SQLiteFailure) {
        try check(sqlite3_bind_null(handle, index))
    }

    private func bind(
        _ bytes: UnsafeRawBufferPointer, at index: Int32, keptBy owner: sqlite3_destructor_type?
    ) -> Int32 {
        // A null pointer would bind NULL instead of no bytes.
        guard bytes.baseAddress != nil else { return sqlite3_bind_zeroblob(handle, index, 0) }
        return sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), owner)
    }

    private func check(_ result: Int32) throws(SQLiteFailure) {
        if result != SQLITE_OK { throw failure() }
    }

    /// Runs a statement that returns no rows, and leaves it ready to be bound and run again.
    func run() throws {
        defer { reset() }
        _ = try step()
    }

    /// Hands every row to `body`, in order, until it returns false.
    func forEachRow(_ body: (QueryRow) throws -> Bool) throws {
        // A statement left in the middle would keep its snapshot and with it the write-ahead log.
        defer { reset() }
        while try step() {
            guard try body(QueryRow(handle: handle)) else { return }
        }
    }

    /// What `transform` makes of every row.
    func map<Value>(_ transform: (QueryRow) throws -> Value) throws -> [Value] {
        var values: [Value] = []
        try forEachRow {
            values.append(try transform($0))
            return true
        }
        return values
    }

    /// What `transform` makes of the first row, or nil if there is none.
    func first<Value>(_ transform: (QueryRow) throws -> Value) throws -> Value? {
        var value: Value?
        try forEachRow {
            value = try transform($0)
            return false
        }
        return value
    }

    /// The number of the row that an INSERT has just made.
    var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(sqlite3_db_handle(handle)) }

    private func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw failure()
        }
    }

    /// What SQLite says of the last call.
    private func failure() -> SQLiteFailure {
        let connection = sqlite3_db_handle(handle)
        return SQLiteFailure(
            result: sqlite3_extended_errcode(connection), message: String(cString: sqlite3_errmsg(connection)),
            systemError: sqlite3_system_errno(connection))
    }

    private func reset() {
        // It repeats the error of the last step, which has been thrown.
        sqlite3_reset(handle)
    }

    /// `SQLITE_TRANSIENT`: SQLite copies what is bound.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

/// What SQLite answered in place of a result.
struct SQLiteFailure: Error {
    let result: Int32
    let message: String
    let systemError: Int32
}

/// The row a statement is at; gone with the next step.
struct QueryRow {
    fileprivate let handle: SQLiteStatement

    /// A number.
    func number(_ index: Int32) -> Int64 {
        sqlite3_column_int64(handle, index)
    }

    /// A sequence number.
    func sequenceNumber(_ index: Int32) throws(StoreError) -> UInt64 {
        guard let value = UInt64(exactly: number(index)) else { throw .corrupted("a sequence number is negative") }
        return value
    }

    /// Whether the value is NULL.
    func isNull(_ index: Int32) -> Bool {
        sqlite3_column_type(handle, index) == SQLITE_NULL
    }

    /// Text.
    func text(_ index: Int32) -> String {
        guard let text = sqlite3_column_text(handle, index) else { return "" }
        return String(cString: text)
    }

    /// Bytes; none where the value is NULL.
    func bytes(_ index: Int32) -> [UInt8] {
        withBytes(index) { Array($0) }
    }

    /// Bytes, or nil where the value is NULL.
    func bytesIfPresent(_ index: Int32) -> [UInt8]? {
        isNull(index) ? nil : bytes(index)
    }

    /// An identifier of 32 bytes.
    func identifier<Identifier: DigestIdentifier>(
        _ index: Int32, as type: Identifier.Type = Identifier.self
    ) throws(StoreError) -> Identifier {
        try withBytes(index) { bytes throws(StoreError) in
            guard bytes.count == Digest.byteCount else { throw .corrupted("an identifier has \(bytes.count) bytes") }
            return Identifier(digest: Digest(raw: bytes))
        }
    }

    /// Bytes in place, until the next step.
    func withBytes<Value, Failure>(
        _ index: Int32, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let start = sqlite3_column_blob(handle, index)
        return try body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index))))
    }
}
