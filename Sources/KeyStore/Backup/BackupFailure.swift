import Glibc
import NodeCore

/// The errors of making, reading and restoring backups.
enum BackupFailure {
    static func writing(_ path: String, _ reason: Int32) -> NodeError {
        NodeError(
            [ENOSPC, EDQUOT].contains(reason) ? .diskFull : .permissionDenied,
            "\(path) cannot be written: \(String(cString: strerror(reason)))",
            hint: "Name a file in a folder that you can write to and that has room.")
    }

    static func reading(_ path: String, _ reason: Int32) -> NodeError {
        switch reason {
        case ENOENT: NodeError(.fileNotFound, "There is no file \(path)")
        case EACCES, EPERM, ELOOP:
            NodeError(.permissionDenied, "\(path) cannot be read: \(String(cString: strerror(reason)))")
        // Zero is a file that ended too early.
        case 0: NodeError(.storageFailed, "\(path) became shorter while it was read", hint: "Try again.")
        default: NodeError(.storageFailed, "\(path) cannot be read: \(String(cString: strerror(reason)))")
        }
    }

    static func damaged(_ path: String, _ what: String) -> NodeError {
        NodeError(
            .damagedBackup, "The backup \(path) \(what)", hint: "Use another backup: this one cannot be restored.")
    }
}
