import Foundation
import GRDB
import Glibc
import Storage

/// What is done to a database that an earlier version wrote, when it is opened.
public enum DatabaseUpgrade: Hashable, Sendable {
    /// It is copied, so that whatever goes wrong can be undone; with the versions of its schema and where the copy is.
    case copying(from: Int, to: Int, copy: String)
    /// It is carried over.
    case carryingOver
    /// It was carried over, and the copy removed.
    case done
}

extension ReplicaStore {
    /// Brings a database to this version.
    ///
    /// All of it is one transaction, so a crash or a full disk leaves the file as it was. The copy is for what no
    /// transaction undoes: a disk that fails meanwhile, and a mistake in the steps that shows when the file is read. It
    /// is not kept: put back later, it would be an old copy of a home, with which a device contradicts what it wrote
    /// since.
    static func upgrade(
        _ database: Database, at path: String, by steps: [String] = Schema.steps,
        telling tell: ((DatabaseUpgrade) -> Void)?
    ) throws {
        guard let found = try Schema.outdatedVersion(of: database, steps) else {
            try Schema.migrate(database, by: steps)
            // Of an upgrade that ended between the two: what is erased from now on would go on in it.
            return removeCopies(of: path)
        }
        guard let tell else { return try Schema.migrate(database, by: steps) }
        let copy = "\(path).version-\(found)"
        tell(.copying(from: found, to: steps.count, copy: copy))
        try write(copy: copy, of: database)
        tell(.carryingOver)
        try Schema.migrate(database, by: steps)
        // What every start reads, and what headers name, has to be readable before the copy goes.
        _ = try SurrogateKeys(loading: database)
        removeCopies(of: path)
        tell(.done)
    }

    /// Removes the copies that upgrades made of a database, whole or not.
    private static func removeCopies(of path: String) {
        let end = path.lastIndex(of: "/") ?? path.startIndex
        let folder = end > path.startIndex ? String(path[..<end]) : "."
        let beginning = path[end...].drop { $0 == "/" } + ".version-"
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return }
        for name in names where name.hasPrefix(beginning) { unlink("\(folder)/\(name)") }
    }

    /// Copies a database to a file, which has its name once it is whole. One that is there is of an attempt that
    /// failed, and is replaced.
    private static func write(copy: String, of database: Database) throws {
        let part = copy + ".part"
        unlink(part)
        try makeFile(at: part)
        do {
            try database.execute(sql: "VACUUM INTO ?", arguments: [part])
        } catch {
            unlink(part)
            throw error
        }
        guard rename(part, copy) == 0 else { throw failure(errno, at: copy) }
    }
}
