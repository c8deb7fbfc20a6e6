import Foundation
import Glibc
import LocalAPIModel

/// The folder of an export: it gets its name once all in it is on the disk.
final class ExportFolder {
    /// Where it is until then.
    let path: String
    private let name: String
    /// Whether it is removed with this value: it is not whole yet.
    private var isTemporary = false

    /// Makes the folder, next to where it will be.
    ///
    /// - Parameter name: what does not exist yet, or is an empty folder.
    init(_ name: String) throws(Failure) {
        try OwnPath.require(name)
        var name = name
        while name.count > 1, name.hasSuffix("/") { name.removeLast() }
        self.name = name
        path = "\(name).exporting-\(UInt64.random(in: .min ... .max))"
        var status = stat()
        if lstat(name, &status) == 0 {
            let isEmpty = (try? FileManager.default.contentsOfDirectory(atPath: name))?.isEmpty ?? false
            guard status.st_mode & S_IFMT == S_IFDIR, isEmpty else { throw Self.taken(name) }
        }
        guard mkdir(path, 0o700) == 0 else { throw FileTarget.failure(path) }
        isTemporary = true
    }

    deinit {
        if isTemporary { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Gives it its name.
    func finish() throws(Failure) {
        for folder in [path + "/" + ExportedFiles.folder, path] { Self.sync(folder) }
        guard rename(path, name) == 0 else {
            switch errno {
            case EEXIST, ENOTEMPTY, ENOTDIR: throw Self.taken(name)
            default: throw FileTarget.failure(name)
            }
        }
        isTemporary = false
    }

    private static func taken(_ name: String) -> Failure {
        Failure(
            .invalidOperation, "There is something in \(name) already",
            hint: "Name a folder that does not exist yet with --to: nothing is overwritten.")
    }

    private static func sync(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }
}
