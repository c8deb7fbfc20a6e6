import Glibc
import KeyStore

/// Opens the file or folder at a path on which others may have put links.
///
/// In a folder of somebody else, or into which others may write, any of them can put a link under a name that the user
/// takes for a file. So a link is followed only if it belongs to the user or to root. The kernel's
/// `fs.protected_symlinks` looks at folders for everybody only, and some hosts switch it off. Each part of the path is
/// opened, then looked at, then used: nobody can exchange it in between.
enum GuardedPath {
    /// Why a file is not opened.
    enum Refusal: Error, Hashable {
        /// Another user has put this link there.
        case link(String)
        /// It is a folder, a pipe or a device. To open these could wait for somebody else, or change something.
        case noFile
        /// What the system says.
        case failed(Int32)
    }

    /// Links that are followed at most, as by the kernel.
    private static let maximumLinks = 40
    /// `O_PATH`: to look at what is there, without opening it.
    private static let onlyThere: Int32 = 0o1000_0000

    /// One part of a path. It stays the same, whatever comes under its name.
    private final class Part {
        let number: Int32
        let status: stat

        init(_ name: String, in folder: Int32) throws(Refusal) {
            number = openat(folder, name, onlyThere | O_NOFOLLOW | O_CLOEXEC)
            guard number >= 0 else { throw .failed(errno) }
            var status = stat()
            fstat(number, &status)
            self.status = status
        }

        deinit {
            close(number)
        }

        var kind: mode_t { status.st_mode & S_IFMT }

        /// Where a link leads.
        func target() throws(Refusal) -> String {
            var room = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlinkat(number, "", &room, room.count)
            guard count >= 0 else { throw .failed(errno) }
            return String(decoding: room.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }

    /// Opens a file to read it. The caller closes it.
    ///
    /// - Parameter user: whose links are followed anywhere.
    static func open(_ path: String, for user: uid_t = geteuid()) throws(Refusal) -> Int32 {
        let found = try find(path, for: user)
        return try open(found.part, named: found.name, in: found.folder)
    }

    /// Opens a folder, to name what is in it. The caller closes it.
    ///
    /// - Parameter makingIt: whether it is made where the folder around it has nothing of that name.
    static func openFolder(
        _ path: String, makingIt: Bool = false, for user: uid_t = geteuid()
    ) throws(Refusal) -> Int32 {
        if makingIt, let name = parts(of: path).first {
            let around = parts(of: path).dropFirst().reversed().joined(separator: "/")
            let folder = try openFolder((path.hasPrefix("/") ? "/" : "./") + around, for: user)
            defer { close(folder) }
            guard mkdirat(folder, name, 0o777) == 0 || errno == EEXIST else { throw .failed(errno) }
        }
        let part = parts(of: path).isEmpty ? try start(of: path) : try find(path, for: user).part
        guard part.kind == S_IFDIR else { throw .failed(ENOTDIR) }
        let number = fcntl(part.number, F_DUPFD_CLOEXEC, 0)
        guard number >= 0 else { throw .failed(errno) }
        return number
    }

    private static func find(
        _ path: String, for user: uid_t
    ) throws(Refusal) -> (part: Part, name: String, folder: Part) {
        var folder = try start(of: path)
        var left = parts(of: path)
        var links = 0
        while let name = left.popLast() {
            let part = try Part(name, in: folder.number)
            if part.kind == S_IFLNK {
                links += 1
                guard links <= maximumLinks else { throw .failed(ELOOP) }
                guard PathOwner.isTrusted(part.status.st_uid, by: user) else { throw .link(name) }
                let target = try part.target()
                if target.hasPrefix("/") { folder = try start(of: target) }
                left += parts(of: target)
            } else if left.isEmpty {
                return (part, name, folder)
            } else {
                folder = part
            }
        }
        throw .noFile
    }

    private static func open(_ part: Part, named name: String, in folder: Part) throws(Refusal) -> Int32 {
        guard part.kind == S_IFREG else { throw .noFile }
        // Without waiting: under its name there may be a pipe by now.
        let file = openat(folder.number, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw .failed(errno) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_dev == part.status.st_dev, status.st_ino == part.status.st_ino
        else {
            close(file)
            throw .noFile
        }
        return file
    }

    private static func start(of path: String) throws(Refusal) -> Part {
        try Part(path.hasPrefix("/") ? "/" : ".", in: AT_FDCWD)
    }

    /// The names on a path, the last one first.
    private static func parts(of path: String) -> [String] {
        path.split(separator: "/").map(String.init).reversed()
    }
}
