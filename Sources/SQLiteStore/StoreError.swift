import GRDB
import GRDBSQLite
import Glibc

/// Why the replica on disk could not do what it was asked.
///
/// A method that throws has changed nothing. After ``diskFull`` and ``ioError(_:)`` the store stays open: reading goes on, and
/// writing succeeds again as soon as the disk allows it.
public enum StoreError: Error, Hashable, Sendable {
    /// The disk has no room left.
    case diskFull
    /// The disk failed; with SQLite's words.
    case ioError(String)
    /// The file is no replica, or it is damaged; with what gave it away.
    case corrupted(String)
    /// Another process has the replica open.
    case inUse
    /// A newer version of Moot wrote the replica.
    case newerVersion(found: Int, supported: Int)
    /// The file or its directory may not be read or written.
    case permissionDenied(path: String)

    /// The stable code shown to programs.
    public var code: String {
        switch self {
        case .diskFull: "disk_full"
        case .ioError: "io_error"
        case .corrupted: "corrupted"
        case .inUse: "in_use"
        case .newerVersion: "newer_version"
        case .permissionDenied: "permission_denied"
        }
    }

    /// What the user can do about it.
    public var hint: String {
        switch self {
        case .diskFull: "Free some space; Moot goes on by itself."
        case .ioError: "Check the disk and its cables, then look at the system's log."
        case .corrupted:
            "Restore replica.sqlite from a copy of its last state, or start with another --home as somebody new. "
                + "Your peers still have the conversations."
        case .inUse: "Stop the other node, or give this one a directory of its own."
        case .newerVersion: "Install the newer version again; an older one cannot read its files."
        case .permissionDenied(let path): "Make \(path) and its directory readable and writable for you."
        }
    }
}

extension StoreError: CustomStringConvertible {
    /// A sentence for a person.
    public var description: String {
        switch self {
        case .diskFull: "The disk is full."
        case .ioError(let reason): "The disk failed: \(reason)."
        case .corrupted(let reason): "The replica is damaged: \(reason)."
        case .inUse: "Another process has the replica open."
        case .newerVersion(let found, let supported):
            "The replica has version \(found), written by a newer Moot; this one reads up to \(supported)."
        case .permissionDenied(let path): "No permission to read and write \(path)."
        }
    }
}

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
