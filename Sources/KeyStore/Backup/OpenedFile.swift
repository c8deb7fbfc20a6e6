import Glibc
import NodeCore

/// A file that is read or written from its beginning to its end, and closed with this value.
final class OpenedFile {
    let path: String
    private let descriptor: Int32
    /// Whether it is removed with this value: it is not whole yet.
    private var isTemporary = false

    /// Opens a file to read.
    ///
    /// - Parameter home: the home that it is a file of, whose owner must not let root read something else; nil for any
    ///   other file.
    /// - Throws: `file_not_found`, `permission_denied`.
    init(reading path: String, of home: String? = nil) throws(NodeError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC | (home == nil ? 0 : O_NOFOLLOW | O_NONBLOCK))
        guard descriptor >= 0 else { throw BackupFailure.reading(path, errno) }
        if let home, !Home.mayRead(descriptor, asOneOf: home) { throw BackupFailure.reading(path, EACCES) }
    }

    /// Makes a file, or empties it, that only its owner may read; it is removed again unless ``finish(as:)`` says that
    /// it is whole.
    ///
    /// - Throws: `permission_denied`, `disk_full`; `invalid_operation` while somebody else writes it.
    init(writing path: String) throws(NodeError) {
        self.path = path
        let made = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        let isThere = made < 0 && errno == EEXIST
        descriptor = isThere ? open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : made
        guard descriptor >= 0 else { throw BackupFailure.writing(path, errno) }
        guard !isThere || isPrivateFile else { throw BackupFailure.writing(path, EACCES) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, isAtItsPath else {
            throw NodeError(
                .invalidOperation, "Somebody else is writing \(path)", hint: "Wait until that is done, then try again.")
        }
        guard ftruncate(descriptor, 0) == 0 else { throw BackupFailure.writing(path, errno) }
        isTemporary = true
    }

    /// Whether what was there before is a file of this user, that nobody else may read from now on.
    private var isPrivateFile: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid()
            && fchmod(descriptor, 0o600) == 0
    }

    /// Whether the opened file still has its name: whoever wrote it may have given it another meanwhile.
    private var isAtItsPath: Bool {
        var (opened, named) = (stat(), stat())
        return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0 && opened.st_ino == named.st_ino
            && opened.st_dev == named.st_dev
    }

    deinit {
        guard descriptor >= 0 else { return }
        // First its name, then the lock that goes with it.
        if isTemporary { unlink(path) }
        close(descriptor)
    }

    /// Reads as many bytes as there are, up to a number.
    func read(upTo most: Int) throws(NodeError) -> [UInt8] {
        var reason: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
            while count < most {
                let result = Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, most - count)
                if result == 0 { break }
                if result > 0 {
                    count += result
                } else if errno != EINTR {
                    reason = errno
                    break
                }
            }
        }
        guard reason == 0 else { throw BackupFailure.reading(path, reason) }
        return bytes
    }

    /// Writes all bytes.
    func write(_ bytes: ArraySlice<UInt8>) throws(NodeError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest.removeFirst(count) } else if errno != EINTR { throw BackupFailure.writing(path, errno) }
        }
    }

    /// Makes it durable, and gives it its name; a file that had it is replaced.
    func finish(as name: String) throws(NodeError) {
        guard fsync(descriptor) == 0, path == name || rename(path, name) == 0 else {
            throw BackupFailure.writing(name, errno)
        }
        isTemporary = false
    }
}
