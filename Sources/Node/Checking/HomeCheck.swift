import BlobStore
import Cryptography
import Foundation
import KeyStore
import NodeCore
import SQLiteStore
import Storage

/// Looks whether all that is in a home is what was written: the database, and the files of conversations.
///
/// The database is looked at in a copy, which the node makes while it runs, so nothing of the home is changed. No
/// passphrase is needed: what is verified are hashes over what is stored, encrypted or not. Whether the keys open is
/// seen when the node starts.
public enum HomeCheck {
    /// How far it is.
    public enum Progress: Sendable {
        case operations(done: Int, all: Int)
        case bytes(done: Int, all: Int)
    }

    /// Looks at all of it.
    ///
    /// - Parameters:
    ///   - copy: a copy of the database, which the caller removes; nil to make one of a home whose node is stopped.
    /// - Throws: `invalid_operation` where no home is; `home_in_use`, `newer_database`, `disk_full`,
    ///   `permission_denied`, also where root asks about another user's home: SQLite writes next to a copy, and what is
    ///   planted there says what.
    /// - Complexity: O(*n*) in the bytes of the home.
    public static func run(
        on home: String, copy: String?, progress: (Progress) -> Void = { _ in }
    ) throws(NodeError) -> HomeReport {
        try Home.requireOwn(home)
        do throws(CryptographyError) {
            try Sodium.start()
        } catch {
            throw NodeError(.badConfiguration, "The installed libsodium cannot be used: \(error.code)")
        }
        var report = HomeReport(home: home, running: copy != nil)
        if let copy {
            try look(at: copy, &report, progress)
        } else {
            // No node can start as long as this is held.
            let stopped = try StoppedHome(home)
            try withExtendedLifetime(stopped) { () throws(NodeError) in
                try look(atStopped: home, stopped, &report, progress)
            }
        }
        try lookAtFiles(of: home, &report, progress)
        return report
    }

    private static func look(
        atStopped home: String, _ stopped: StoppedHome, _ report: inout HomeReport, _ progress: (Progress) -> Void
    ) throws(NodeError) {
        do throws(NodeError) {
            _ = try stopped.needsPassphrase
        } catch {
            guard error.code == .damagedHome else { throw error }
            report.findings.append(.init("keys", error.message, repair: .backupThenPeers))
        }
        let database = "\(home)/replica.sqlite"
        guard FileManager.default.fileExists(atPath: database) else {
            let sentence = "The database \(database) is gone, but the keys that wrote it are here"
            return report.findings.append(.init("database", sentence, repair: .backupThenPeers))
        }
        let copy = "\(home)/\(Node.copyPrefix)\(UUID().uuidString.lowercased()).sqlite"
        defer { remove(copy) }
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: database + suffix) {
            do {
                try FileManager.default.copyItem(atPath: database + suffix, toPath: copy + suffix)
            } catch CocoaError.fileWriteOutOfSpace {
                throw NodeError(
                    .diskFull, "There is no room in \(home) for a copy of the database", hint: "Free some space.")
            } catch {
                throw NodeError(
                    .permissionDenied, "The database \(database) cannot be copied: \(error.localizedDescription)",
                    hint: "Ask as the user whose node it is.")
            }
        }
        try look(at: copy, &report, progress)
    }

    private static func look(
        at copy: String, _ report: inout HomeReport, _ progress: (Progress) -> Void
    ) throws(NodeError) {
        // To open what is not there would make an empty one, in which all is well.
        guard access(copy, F_OK) == 0 else {
            throw NodeError(
                .notHere, "The copy \(copy) is gone: another command made one meanwhile", hint: "Run it once more.")
        }
        // What opening adds to the copy.
        defer { unlink(copy + "-wal") }
        do throws(StoreError) {
            // Nobody will ever be told of this one.
            let epoch = [UInt8](repeating: 0, count: ReplicaStore.replicaEpochLength)
            let store = try ReplicaStore(at: copy, replicaEpoch: epoch)
            let all = try store.operationCount()
            report.conversations = store.conversations().count
            report.operations = all
            report.findings += try store.integrityCheck { progress(.operations(done: $0, all: all)) }
                .map(HomeReport.Finding.init)
            try store.close()
        } catch {
            guard case .corrupted(let reason) = error else { throw NodeError(error) }
            let sentence = "The database file is damaged: \(reason)"
            report.findings.append(.init("database", sentence, repair: .backupThenPeers))
        }
    }

    private static func lookAtFiles(
        of home: String, _ report: inout HomeReport, _ progress: (Progress) -> Void
    ) throws(NodeError) {
        do throws(StoreError) {
            let result = try BlobCheck.run(on: "\(home)/blobs") { progress(.bytes(done: $0, all: $1)) }
            report.files = result.files
            for found in result.findings {
                let what =
                    found.damagedChunks.map { "\($0) of \(found.chunks) parts of it are not what was written" }
                    ?? "it has not the length of any file"
                report.findings.append(
                    .init(
                        "file", file: found.root.hexadecimal, "The file \(found.root.hexadecimal) is damaged: \(what)",
                        repair: .peers))
            }
        } catch {
            throw NodeError(error)
        }
    }

    private static func remove(_ copy: String) {
        for suffix in ["", "-wal"] { unlink(copy + suffix) }
    }
}
