import GRDBSQLite
import Glibc
import Storage

extension StoreError {
    /// Says what a result code of SQLite means here.
    ///
    /// - Parameters:
    ///   - result: the extended result code.
    ///   - message: SQLite's words.
    ///   - systemError: the `errno` behind it, which tells a full disk from a broken one.
    ///   - path: the file.
    init(result: Int32, message: String, systemError: Int32, path: String) {
        switch result & 0xFF {
        case SQLITE_FULL: self = .diskFull
        case SQLITE_IOERR:
            // Growing the shared-memory file is SQLite's first step in WAL mode, and names no lack of space.
            let isFull = result == Self.sharedMemorySize || systemError == ENOSPC || systemError == EDQUOT
            self = isFull ? .diskFull : .ioError(message)
        case SQLITE_BUSY, SQLITE_LOCKED: self = .inUse
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_CONSTRAINT, SQLITE_MISMATCH: self = .corrupted(message)
        case SQLITE_CANTOPEN where systemError == ENOSPC || systemError == EDQUOT: self = .diskFull
        case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: self = .permissionDenied(path: path)
        default: self = .ioError(message)
        }
    }

    /// `SQLITE_IOERR_SHMSIZE`, which its header defines by an expression that Swift does not import.
    private static let sharedMemorySize = SQLITE_IOERR | (19 << 8)
}
