import Glibc

/// A directory that lives as long as this value, with the files of one replica.
final class TemporaryDirectory {
    let path: String

    init() throws {
        var template = Array("/tmp/moot-store-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TemporaryDirectoryFailure(errno: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The path of a file in the directory.
    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes into a file of the replica, which is made where it is missing.
    func overwrite(at offset: Int, with bytes: [UInt8], suffix: String = "") throws {
        let file = Glibc.open(file("replica.db") + suffix, O_WRONLY | O_CREAT, 0o600)
        guard file >= 0 else { throw TemporaryDirectoryFailure(errno: errno) }
        defer { close(file) }
        guard pwrite(file, bytes, bytes.count, off_t(offset)) == bytes.count else {
            throw TemporaryDirectoryFailure(errno: errno)
        }
    }

    /// The bytes of a file of the replica.
    func contents(suffix: String = "") throws -> [UInt8] {
        let file = Glibc.open(file("replica.db") + suffix, O_RDONLY)
        guard file >= 0 else { throw TemporaryDirectoryFailure(errno: errno) }
        defer { close(file) }
        let size = Int(lseek(file, 0, SEEK_END))
        return try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = pread(file, buffer.baseAddress, size, 0)
            guard count == size else { throw TemporaryDirectoryFailure(errno: errno) }
        }
    }

    /// Bytes of the database.
    func size() throws -> Int { try contents().count }

    /// Whether some bytes stand in the database or in its write-ahead log.
    func contains(_ bytes: [UInt8]) throws -> Bool {
        try ["", "-wal"].contains { suffix in try !contents(suffix: suffix).ranges(of: bytes).isEmpty }
    }

    /// The permissions of a file, or nil if there is none.
    func mode(of name: String) -> mode_t? {
        var status = stat()
        return stat(file(name), &status) == 0 ? status.st_mode & 0o777 : nil
    }

    deinit {
        for suffix in ["", "-wal", "-shm"] { unlink(file("replica.db") + suffix) }
        rmdir(path)
    }
}

/// What the system answered.
struct TemporaryDirectoryFailure: Error {
    let errno: Int32
}
