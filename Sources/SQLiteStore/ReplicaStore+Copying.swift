import GRDB
import GRDBSQLite
import Glibc
import Storage

/// A copy of the database that is being made, some pages at a time.
///
/// SQLite's own backup: what the store writes meanwhile is written to the copy, too, so that it is whole at the end
/// however long that takes.
final class DatabaseCopy {
    let path: String
    private var backup: OpaquePointer?
    private var target: OpaquePointer?

    /// Begins a copy to a file that does not exist.
    init(of source: OpaquePointer?, to path: String) throws {
        self.path = path
        // SQLite can refuse links as well, but it refuses them in every part of the path, and the folder of a home may
        // be behind one.
        try ReplicaStore.makeFile(at: path)
        guard sqlite3_open_v2(path, &target, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else { throw failure }
        // A copy that a crash interrupts is thrown away: nothing of it has to be durable.
        sqlite3_exec(target, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", nil, nil, nil)
        backup = sqlite3_backup_init(target, "main", source, "main")
        guard backup != nil else { throw failure }
    }

    deinit { end() }

    /// Copies so many pages more; whether all are copied.
    func step(pages: Int32) throws -> Bool {
        switch sqlite3_backup_step(backup, pages) {
        case SQLITE_DONE: return true
        case SQLITE_OK, SQLITE_BUSY, SQLITE_LOCKED: return false
        default: throw failure
        }
    }

    /// Lets go of both databases.
    func end() {
        sqlite3_backup_finish(backup)
        sqlite3_close(target)
        (backup, target) = (nil, nil)
    }

    private var failure: SQLiteFailure {
        SQLiteFailure(
            result: sqlite3_extended_errcode(target), message: String(cString: sqlite3_errmsg(target)),
            systemError: sqlite3_system_errno(target))
    }
}

extension ReplicaStore {
    /// Pages that are copied in one step: about a millisecond in which nothing else has its turn.
    private static let pagesPerStep: Int32 = 256

    /// Begins to copy the database to a file that does not exist; a copy that was begun before is given up.
    public func beginCopy(to path: String) throws(StoreError) {
        endCopy()
        copy = try access { try DatabaseCopy(of: $0.sqliteConnection, to: path) }
    }

    /// Copies a part of it.
    ///
    /// - Parameter path: where the copy is.
    /// - Returns: whether it is whole; nil if it was given up.
    /// - Throws: ``StoreError``, and the copy is given up.
    /// - Complexity: about a millisecond.
    public func continueCopy(to path: String) throws(StoreError) -> Bool? {
        guard let copy, copy.path == path else { return nil }
        do throws(StoreError) {
            let isWhole = try access { _ in try copy.step(pages: Self.pagesPerStep) }
            if isWhole { endCopy() }
            return isWhole
        } catch {
            endCopy()
            throw error
        }
    }

    /// Gives up the copy that is being made.
    public func endCopy() {
        copy?.end()
        copy = nil
    }
}
