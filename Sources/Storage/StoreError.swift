/// Why the replica on disk could not do what it was asked.
///
/// A method that throws has changed nothing. After ``diskFull`` and ``ioError(_:)`` the store stays open: reading goes
/// on, and writing succeeds again as soon as the disk allows it.
public enum StoreError: Error, Hashable, Sendable {
    /// The disk has no room left.
    case diskFull
    /// Files may take no more room; with how many bytes they may take.
    case quotaReached(Int)
    /// The disk failed; with SQLite's words.
    case ioError(String)
    /// The file is no replica, or it is damaged; with what gave it away.
    case corrupted(String)
    /// Another process has the replica open.
    case inUse
    /// A newer version of Moot wrote the replica; with its version where it said so.
    case newerVersion(found: Int, supported: Int, program: String?)
    /// Moot wrote the replica before its first release; with its version where it said so.
    case beforeRelease(program: String?)
    /// The file or its directory may not be read or written.
    case permissionDenied(path: String)

    /// The stable code shown to programs.
    public var code: String {
        switch self {
        case .diskFull: "disk_full"
        case .quotaReached: "quota_reached"
        case .ioError: "io_error"
        case .corrupted: "corrupted"
        case .inUse: "in_use"
        case .newerVersion: "newer_version"
        case .beforeRelease: "before_release"
        case .permissionDenied: "permission_denied"
        }
    }

    /// What the user can do about it.
    public var hint: String {
        switch self {
        case .diskFull: "Free some space; Moot goes on by itself."
        case .quotaReached: "Delete messages with files, or keep their conversations for a shorter time."
        case .ioError: "Check the disk and its cables, then look at the system's log."
        case .corrupted:
            "Restore replica.sqlite from a copy of its last state, or start with another --home as somebody new. "
                + "Your peers still have the conversations."
        case .inUse: "Stop the other node, or give this one a directory of its own."
        case .newerVersion(_, _, let program):
            "Install \(program.map { "Moot \($0)" } ?? "the newer version") again; an older one cannot read its files. "
                + "To stay with this one: moot restore, with a backup that it made."
        case .beforeRelease(let program):
            "Export what you want to keep with \(program.map { "Moot \($0)" } ?? "the program that wrote it"): moot export. Then start with another "
                + "--home as somebody new."
        case .permissionDenied(let path): "Make \(path) and its directory readable and writable for you."
        }
    }
}

extension StoreError: CustomStringConvertible {
    /// A sentence for a person.
    public var description: String {
        switch self {
        case .diskFull: "The disk is full."
        case .quotaReached(let bytes): "Files take the \(bytes >> 20) MiB that they may take."
        case .ioError(let reason): "The disk failed: \(reason)."
        case .corrupted(let reason): "The replica is damaged: \(reason)."
        case .inUse: "Another process has the replica open."
        case .newerVersion(let found, let supported, let program):
            "The replica has version \(found), written by \(program.map { "Moot \($0)" } ?? "a newer Moot"); this one reads up to \(supported)."
        case .beforeRelease: "The replica was written before the first release of Moot, and is not carried over."
        case .permissionDenied(let path): "No permission to read and write \(path)."
        }
    }
}
