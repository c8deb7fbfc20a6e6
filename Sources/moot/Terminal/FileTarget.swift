import Glibc
import Node
import NodeCore

/// A file that is being saved: it gets its name once all of it is there.
final class FileTarget {
    private let folder: String
    private let name: String
    private let path: String
    private let descriptor: Int32
    private var isFinished = false

    /// Begins to save a file into a folder.
    ///
    /// - Parameter name: made harmless by the node.
    init(named name: String, in folder: String) throws(Failure) {
        (self.folder, self.name) = (folder, name)
        path = "\(folder)/.\(UInt64.random(in: .min ... .max)).part"
        guard mkdir(folder, 0o777) == 0 || errno == EEXIST else { throw Self.failure(folder) }
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw Self.failure(folder) }
    }

    deinit {
        close(descriptor)
        if !isFinished { unlink(path) }
    }

    /// Adds bytes.
    func write(_ bytes: [UInt8]) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { throw Self.failure(folder) }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// Gives the file its name, or one with a number where that is taken.
    func finish() throws(Failure) -> String {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        for number in 1...10_000 {
            var candidate = name
            if number > 1 {
                let stem = parts.count > 1 ? parts.dropLast().joined(separator: ".") : name
                candidate = "\(stem) (\(number))" + (parts.count > 1 ? ".\(parts.last ?? "")" : "")
            }
            // A link takes no name that is taken, as renaming would.
            if link(path, "\(folder)/\(candidate)") == 0 {
                isFinished = true
                unlink(path)
                return "\(folder)/\(candidate)"
            }
            guard errno == EEXIST else { throw Self.failure(folder) }
        }
        throw Failure(.invalidRequest, "There are too many files called \(name) in \(folder)")
    }

    private static func failure(_ path: String) -> Failure {
        let reason = String(cString: strerror(errno))
        switch errno {
        case ENOSPC, EDQUOT: return Failure(.diskFull, "Cannot write to \(path): \(reason)", hint: "Free some space.")
        case EACCES, EPERM, EROFS: return Failure(.permissionDenied, "Cannot write to \(path): \(reason)")
        default: return Failure(.storageFailed, "Cannot write to \(path): \(reason)")
        }
    }
}
