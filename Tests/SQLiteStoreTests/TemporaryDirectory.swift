import Glibc

/// A directory that lives as long as this value.
final class TemporaryDirectory {
    let path: String

    init() throws {
        var template = Array("/tmp/moot-store-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TemporaryDirectoryFailure(errno: errno) }
        path = template.withUnsafeBufferPointer { buffer in
            String(decoding: buffer.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    /// The path of a file in the directory.
    func file(_ name: String) -> String { "\(path)/\(name)" }

    deinit {
        for suffix in ["", "-wal", "-shm"] { unlink(file("replica.db") + suffix) }
        rmdir(path)
    }
}

struct TemporaryDirectoryFailure: Error {
    let errno: Int32
}
