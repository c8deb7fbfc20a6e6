import Glibc
import KeyStore
import LocalAPIModel

/// A file that is read from its beginning to its end, or standard input.
final class InputFile {
    private let descriptor: Int32
    private let name: String

    /// Opens a file; standard input when none is named, or "-".
    init(_ path: String?) throws(Failure) {
        guard let path, path != "-" else {
            descriptor = Terminal.Stream.input.rawValue
            name = "standard input"
            return
        }
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        name = path
        guard descriptor >= 0 else { throw Self.failure(errno, reading: path) }
    }

    /// Opens a file, and nothing else that is at its path. "-" is a name like any other.
    ///
    /// - Throws: `permission_denied` where a link on the path is another user's, `invalid_request` where there is no
    ///   file.
    init(regular path: String) throws(Failure) {
        name = path
        do throws(GuardedPath.Refusal) {
            descriptor = try GuardedPath.open(path)
        } catch {
            switch error {
            case .failed(let number): throw Self.failure(number, reading: path)
            case .noFile: throw Failure(.invalidRequest, "\(path) is no file")
            case .link(let link):
                throw OwnPath.foreignLink(
                    link, on: path,
                    hint: "Look where it leads. If you want to send that file, name it by its own path.")
            }
        }
    }

    deinit {
        if descriptor > Terminal.Stream.error.rawValue { close(descriptor) }
    }

    /// What comes next, at most 64 KiB; empty at the end.
    func read() throws(Failure) -> [UInt8] {
        var error: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
            var result: Int
            repeat {
                result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            } while result < 0 && errno == EINTR
            if result < 0 { error = errno }
            count = max(0, result)
        }
        guard error == 0 else { throw Self.failure(error, reading: name) }
        return bytes
    }

    /// Reads up to the end of a line, the end of the file or the end of the room, and keeps no copy.
    ///
    /// - Returns: How many bytes were read; more than a line where more had arrived.
    func readLine(into room: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        var count = 0
        while count < room.count, count == 0 || room[count - 1] != UInt8(ascii: "\n") {
            let result = Glibc.read(descriptor, room.baseAddress.map { $0 + count }, room.count - count)
            if result == 0 { break }
            if result > 0 { count += result } else if errno != EINTR { throw Self.failure(errno, reading: name) }
        }
        return count
    }

    /// How long it is, in bytes.
    var length: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Whether no other user decides what is in it.
    var isOwn: Bool { PathOwner.isOwn(descriptor) }

    /// Whether it is a file that other users may read.
    var isReadableByOthers: Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        return status.st_mode & 0o044 != 0
    }

    /// Whether reading would not have to wait.
    var isReady: Bool {
        var descriptor = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, 0) > 0
    }

    private static func failure(_ error: Int32, reading name: String) -> Failure {
        let code: ErrorCode = error == EACCES || error == EPERM ? .permissionDenied : .invalidRequest
        return Failure(code, "Cannot read \(name): \(String(cString: strerror(error)))")
    }
}
