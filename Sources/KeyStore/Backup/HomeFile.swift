import Foundation
import Glibc
import NodeCore

/// A file of a home that belongs into a backup.
struct HomeFile {
    let entry: BackupEntry
    let path: String
    let byteCount: Int

    /// Looks at a file; nil if there is none, or what is there is no file.
    init?(_ entry: BackupEntry, at path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        (self.entry, self.path, byteCount) = (entry, path, Int(status.st_size))
    }

    /// The keys of a home and the files of its conversations, in the order of their names. Files that are on their way
    /// are left out: they are fetched again.
    static func all(in home: String) throws(NodeError) -> [HomeFile] {
        var files: [HomeFile] = []
        for folder in ["keys", "blobs"] {
            let names: [String]
            do {
                names = try FileManager.default.contentsOfDirectory(atPath: "\(home)/\(folder)")
            } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
                continue
            } catch {
                throw NodeError(
                    .permissionDenied, "The folder \(home)/\(folder) cannot be read",
                    hint: "Ask as the user whose node it is.")
            }
            files += names.sorted().compactMap { name in
                BackupEntry("\(folder)/\(name)").flatMap { HomeFile($0, at: "\(home)/\($0.name)") }
            }
        }
        return files
    }
}
