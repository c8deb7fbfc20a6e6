import Glibc

/// A file system of a few megabytes in memory, for as long as this value lives. Only root can have one.
final class SmallDisk {
    /// Where it is mounted.
    let path: String

    /// Whether this process may mount one. Says why not, where it may not.
    static let isAvailable: Bool = {
        do {
            _ = try SmallDisk(megabytes: 1)
            return true
        } catch {
            print("Skipping tests on a small disk: mounting one failed (\(error)); run them as root.")
            return false
        }
    }()

    /// Mounts an empty one.
    init(megabytes: Int) throws {
        var template = Array("/tmp/moot-disk-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TemporaryDirectoryFailure(errno: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(megabytes)m,mode=700") == 0 else {
            let reason = errno
            rmdir(path)
            throw TemporaryDirectoryFailure(errno: reason)
        }
    }

    /// Makes it read-only.
    func protect() throws {
        guard mount("tmpfs", path, "tmpfs", UInt(MS_RDONLY | MS_REMOUNT), nil) == 0 else {
            throw TemporaryDirectoryFailure(errno: errno)
        }
    }

    /// Takes room away.
    func occupy(megabytes: Int) throws {
        let file = Glibc.open("\(path)/ballast", O_WRONLY | O_CREAT, 0o600)
        defer { close(file) }
        let error = posix_fallocate(file, 0, off_t(megabytes) << 20)
        guard error == 0 else { throw TemporaryDirectoryFailure(errno: error) }
    }

    /// Gives the room back.
    func relieve() {
        unlink("\(path)/ballast")
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
    }
}
