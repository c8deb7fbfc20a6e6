import Conversations
import Glibc
import LocalAPIModel

/// A file that is being saved: it gets its name once all of it is on the disk.
final class FileTarget {
    private let folder: String
    /// The folder, whatever comes under its name.
    private let place: Int32
    private let name: String
    private let path: String
    private let descriptor: Int32
    private var isFinished = false

    /// Numbers that are tried where a name is taken.
    private static let maximumNumbers = 10_000

    /// Begins to save a file into a folder.
    ///
    /// - Parameter name: as the node says it; whatever it says, the file is in the folder.
    init(named name: String, in folder: String) throws(Failure) {
        try OwnPath.requireOfRoot(folder)
        (self.folder, self.name) = (folder, FileName.sanitized(name))
        do throws(GuardedPath.Refusal) {
            place = try GuardedPath.openFolder(folder, makingIt: true)
        } catch {
            switch error {
            case .failed(let number): throw Self.failure(folder, number)
            case .noFile: throw Failure(.invalidRequest, "\(folder) is no folder")
            case .link(let link):
                throw OwnPath.foreignLink(link, on: folder, hint: "Save into a folder of your own.")
            }
        }
        path = "/proc/self/fd/\(place)/.\(UInt64.random(in: .min ... .max)).part"
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            let failure = Self.failure(folder)
            close(place)
            throw failure
        }
    }

    deinit {
        close(descriptor)
        if !isFinished { unlink(path) }
        close(place)
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

    /// Gives the file its name, or one with a number where that is taken. Where the name has a file with the same
    /// bytes, that one stays alone: so a command that is repeated all the time does not fill the folder.
    ///
    /// A name is claimed with an empty file, which what was saved then replaces: a link would do it in one step, and
    /// vfat and exFAT have none.
    ///
    /// - Returns: its path, and whether it was there before.
    func finish() throws(Failure) -> (path: String, wasThere: Bool) {
        guard fsync(descriptor) == 0 else { throw Self.failure(folder) }
        for number in 1...Self.maximumNumbers {
            let called = number == 1 ? name : FileName.numbered(name, number)
            let (candidate, shown) = ("/proc/self/fd/\(place)/\(called)", "\(folder)/\(called)")
            let claim = open(candidate, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            guard claim >= 0 else {
                guard errno == EEXIST else { throw Self.failure(folder) }
                if SameBytes.have(path, candidate) {
                    unlink(path)
                    isFinished = true
                    return (shown, true)
                }
                continue
            }
            close(claim)
            guard rename(path, candidate) == 0 else {
                let failure = Self.failure(folder)
                unlink(candidate)
                throw failure
            }
            isFinished = true
            return (shown, false)
        }
        throw Failure(
            .invalidRequest, "There are too many files called \(name) in \(folder)",
            hint: "Save it into another folder.")
    }

    /// Why a file or a folder could not be written, by the number of an error.
    static func failure(_ path: String, _ number: Int32 = errno) -> Failure {
        let reason = String(cString: strerror(number))
        switch number {
        case ENOSPC, EDQUOT: return Failure(.diskFull, "Cannot write to \(path): \(reason)", hint: "Free some space.")
        case ENOENT, ENOTDIR:
            return Failure(
                .invalidRequest, "Cannot write to \(path): \(reason)", hint: "Make the folder around it first.")
        case EACCES, EPERM, EROFS:
            return Failure(
                .permissionDenied, "Cannot write to \(path): \(reason)", hint: "Save into a folder of your own.")
        default: return Failure(.storageFailed, "Cannot write to \(path): \(reason)")
        }
    }
}
