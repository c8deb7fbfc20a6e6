import Cryptography
import Foundation
import Glibc
import NodeCore

/// Backups of a home: its keys, its database and the files of its conversations in one file, sealed under a passphrase.
///
/// Tokens and sessions of browsers are not in it: whoever restores a home lets programs in anew.
public enum HomeBackup {
    /// Makes a backup.
    ///
    /// - Parameters:
    ///   - database: A copy of the database that nobody writes to; nil for the database itself, of a node that is
    ///     stopped.
    ///   - program: The version of the program.
    ///   - cost: What a guess of the passphrase costs.
    ///   - progress: Told of how many bytes all of it has, and how many are done.
    /// - Throws: `invalid_operation` where no home is; `permission_denied`, `disk_full`, `storage_failed`,
    ///   `bad_configuration`. A backup that was there before stays then.
    /// - Complexity: O(*n*), one pass over all bytes; the passphrase costs what it should.
    @discardableResult
    public static func write(
        _ home: String, database: String?, to path: String, under passphrase: Passphrase, program: String,
        cost: PassphraseKey.Cost = .moderate, progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
    ) throws(NodeError) -> BackupContents {
        // The database comes first: another backup removes its copy, and it stays readable once it is open.
        var files: [HomeFile] = []
        if let file = HomeFile(.database, at: database ?? home + "/replica.sqlite") { files.append(file) }
        if database == nil, let file = HomeFile(.databaseLog, at: home + "/replica.sqlite-wal") { files.append(file) }
        files += try HomeFile.all(in: home)
        guard Keyring.exists(in: Home.keyFiles(of: home)), files.contains(where: { $0.entry == .database }) else {
            throw NodeError(.invalidOperation, "There is no home in \(home)", hint: "Name one with --home.")
        }
        let contents = BackupContents(
            madeAt: Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down)), program: program,
            host: ProcessInfo.processInfo.hostName, files: files.count,
            bytes: files.reduce(0) { $0 + $1.byteCount })
        let writer = try BackupWriter(to: path, under: passphrase, cost: cost)
        guard let json = contents.encoded else {
            throw NodeError(.storageFailed, "The name of this host cannot be written: \(contents.host)")
        }
        try writer.add(json, as: .contents)
        var done = 0
        for file in files {
            do throws(NodeError) {
                try writer.add(file, of: home) { count in
                    done += count
                    progress(done, contents.bytes)
                }
            } catch {
                // The file of a conversation may be deleted meanwhile: then nobody wants it back.
                guard error.code == .fileNotFound, file.entry.isOfConversation else { throw error }
            }
        }
        try writer.finish()
        return contents
    }

    /// Reads a backup to its end, and whatever is wrong with it is an error.
    ///
    /// - Throws: `file_not_found`, `permission_denied`, `wrong_passphrase`, `damaged_backup`, `newer_database`,
    ///   `bad_configuration`.
    @discardableResult
    public static func verify(
        _ path: String, under passphrase: Passphrase, progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
    ) throws(NodeError) -> BackupContents {
        try read(path, under: passphrase, progress: progress) { _ in nil }
    }

    /// Makes a home of a backup, for a new device: the old one's keys stay in the backup.
    ///
    /// What the lost home wrote after the backup has numbers that this one would use again. So it must not be the same
    /// device.
    ///
    /// - Parameter home: A folder that does not exist, or is empty. It has its name only once all is on the disk.
    /// - Throws: as ``verify(_:under:progress:)``; `home_in_use` where a home is; `disk_full`.
    @discardableResult
    public static func restore(
        _ path: String, to home: String, under passphrase: Passphrase,
        progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
    ) throws(NodeError) -> BackupContents {
        try Home.requireOwn(home)
        // An empty folder may be behind a link, which stays.
        let home = Self.resolved(home)
        try requireNothing(at: home)
        // A folder of its own, whose name nobody can guess and take: another one may restore the same at the same time.
        var random = SystemRandom()
        let folder = "\(home).restoring-\(HexadecimalText.encode(random.bytes(8)))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Home.makeFolder(folder)
        for part in ["keys", "blobs"] { try Home.makeFolder("\(folder)/\(part)") }
        let contents = try read(path, under: passphrase, progress: progress) { (entry) throws(NodeError) in
            entry.isOfDevice ? nil : try OpenedFile(writing: "\(folder)/\(entry.name)")
        }
        try Home.markNewDevice(in: Home.keyFiles(of: folder))
        try requireNothing(at: home)
        sync(folder)
        guard rename(folder, home) == 0 else { throw BackupFailure.writing(home, errno) }
        return contents
    }

    /// Reads a backup to its end.
    ///
    /// - Parameter target: Where the bytes of an entry go; nil for nowhere.
    private static func read(
        _ path: String, under passphrase: Passphrase, progress: (_ done: Int, _ all: Int) -> Void,
        to target: (BackupEntry) throws(NodeError) -> OpenedFile?
    ) throws(NodeError) -> BackupContents {
        let reader = try BackupReader(path, under: passphrase)
        guard let first = try reader.next(), first.entry == .contents,
            first.byteCount <= BackupContents.maximumByteCount
        else { throw BackupFailure.damaged(path, "does not say what it is of") }
        var json: [UInt8] = []
        try reader.take(first.byteCount) { piece throws(NodeError) in json += piece }
        guard let contents = BackupContents.decode(json) else {
            throw BackupFailure.damaged(path, "does not say what it is of")
        }
        var seen: Set<BackupEntry> = []
        var done = 0
        while let head = try reader.next() {
            guard head.entry != .contents, seen.insert(head.entry).inserted else {
                throw BackupFailure.damaged(path, "has a file twice")
            }
            let file = try target(head.entry)
            try reader.take(head.byteCount) { piece throws(NodeError) in
                try file?.write(piece)
                done += piece.count
                progress(done, max(contents.bytes, done))
            }
            if let file { try file.finish(as: file.path) }
        }
        guard seen.contains(.database), seen.contains(where: { $0.name.hasPrefix("keys/") }) else {
            throw BackupFailure.damaged(path, "lacks files that it should have")
        }
        return contents
    }

    /// The path of a folder with all links followed; the same path where nothing is.
    private static func resolved(_ folder: String) -> String {
        guard let path = realpath(folder, nil) else { return folder }
        defer { free(path) }
        return String(cString: path)
    }

    private static func requireNothing(at home: String) throws(NodeError) {
        // An empty folder is removed, so that the restored one can have its name.
        guard rmdir(home) != 0, errno != ENOENT else { return }
        throw NodeError(
            .homeInUse, "There is something in \(home) already",
            hint: "Restore to another folder with --home, or move that one away: nothing is overwritten.")
    }

    private static func sync(_ folder: String) {
        for part in ["/keys", "/blobs", ""] {
            let descriptor = open(folder + part, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            _ = fsync(descriptor)
            close(descriptor)
        }
    }
}
