import Foundation
import KeyStore
import LocalAPIModel
import NodeCore
import SQLiteStore
import Storage

extension Node {
    /// How the names of copies begin; they are removed at every start.
    static let copyPrefix = "copy-"

    /// Copies the database to a file in the home, while everything else goes on. A copy made before is removed.
    ///
    /// - Returns: where it is; whoever asked removes it.
    /// - Throws: `disk_full`, `storage_failed`; `cancelled` if somebody else asked meanwhile.
    public func copyDatabase() async throws(NodeError) -> DatabaseCopyDescription {
        Self.removeDatabaseCopies(in: home.folder)
        let path = "\(home.folder)/\(Self.copyPrefix)\(UUID().uuidString.lowercased()).sqlite"
        do throws(NodeError) {
            try stepOfCopy { store throws(StoreError) in try store.beginCopy(to: path) }
            while let isWhole = try stepOfCopy({ store throws(StoreError) in try store.continueCopy(to: path) }) {
                if isWhole { return DatabaseCopyDescription(path: path, bytes: Self.size(of: path)) }
                // Between two parts whoever waits has their turn.
                await Task.yield()
            }
            throw NodeError(.canceled, "Another backup was begun, or the node stops", hint: "Try again.")
        } catch {
            unlink(path)
            throw error
        }
    }

    private static func size(of path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }

    private func stepOfCopy<Value>(
        _ step: (ReplicaStore) throws(StoreError) -> Value
    ) throws(NodeError) -> Value {
        do throws(StoreError) {
            return try step(store)
        } catch {
            throw NodeError(error)
        }
    }

    /// Removes the copies that nobody removed.
    static func removeDatabaseCopies(in folder: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where name.hasPrefix(copyPrefix) {
            unlink(folder + "/" + name)
        }
    }
}
