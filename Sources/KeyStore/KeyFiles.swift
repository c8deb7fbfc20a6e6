import Cryptography
import Glibc
import NodeCore

/// The folder of a home with its key files, which are written whole or not at all, and overwritten before they go.
struct KeyFiles: Sendable {
    let home: String
    /// Where it is.
    var folder: String { home + "/keys" }

    /// Where a file is.
    func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// Whether there is such a file.
    func has(_ name: String) -> Bool {
        access(path(name), F_OK) == 0
    }

    /// Reads at most so many bytes of a file; nil where there is none.
    ///
    /// - Throws: `damaged_home`, `permission_denied`.
    func read(_ name: String, atMost most: Int) throws(NodeError) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: most)
        let count = try bytes.withUnsafeMutableBytes { memory in
            Result { () throws(NodeError) in try read(name, into: memory) }
        }.get()
        return count.map { Array(bytes.prefix($0)) }
    }

    /// Reads a secret into guarded memory, where nothing else has seen it; nil where there is no file. Of a file too
    /// long only the beginning is read.
    ///
    /// - Throws: `damaged_home`, `permission_denied`.
    func readSecret(_ name: String) throws(NodeError) -> SecretBytes? {
        var result: Result<Int?, NodeError> = .success(nil)
        let room = SecretBytes(count: SecretBytes.maximumBytes) { memory in
            result = Result { () throws(NodeError) in try read(name, into: memory) }
        }
        guard let count = try result.get() else { return nil }
        return room.withUnsafeBytes { bytes in
            SecretBytes(count: count) { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(count))) }
        }
    }

    /// Writes a file that holds nothing secret, or only what is sealed. It is on the disk when this returns.
    ///
    /// - Throws: `disk_full`, `permission_denied`.
    func write(_ bytes: [UInt8], to name: String) throws(NodeError) {
        try bytes.withUnsafeBytes { bytes in
            Result { () throws(NodeError) in try write(raw: bytes, to: name) }
        }.get()
    }

    /// Writes a secret as it is. It is on the disk when this returns.
    ///
    /// - Throws: `disk_full`, `permission_denied`.
    func write(_ secret: SecretBytes, to name: String) throws(NodeError) {
        try secret.withUnsafeBytes { bytes throws(NodeError) in try write(raw: bytes, to: name) }
    }

    /// Writes zeros over a file and removes it; nothing where there is none. It is gone from the disk when this
    /// returns.
    ///
    /// It first loses its name, so that a file half overwritten is never taken for one that is damaged. Disks that
    /// never write the same place twice, copies and backups keep what they have.
    ///
    /// - Throws: `disk_full`, `permission_denied`.
    func erase(_ name: String) throws(NodeError) {
        guard has(name) else { return }
        guard rename(path(name), path(Self.unfinished(name))) == 0 else { throw failure("remove", name) }
        try syncFolder(name)
        try eraseUnfinished(name)
    }

    /// Erases what was being written or erased when power was lost: it may be a secret.
    ///
    /// - Throws: `disk_full`, `permission_denied`.
    func eraseUnfinished(of names: [String]) throws(NodeError) {
        for name in names where isThere(Self.unfinished(name)) { try eraseUnfinished(name) }
    }

    private func eraseUnfinished(_ name: String) throws(NodeError) {
        let path = path(Self.unfinished(name))
        var place = stat()
        guard lstat(path, &place) == 0 else { throw failure("remove", name) }
        // What is no file was not written here, such as a link: it goes, and what it leads to stays as it is.
        if place.st_mode & S_IFMT == S_IFREG { try overwriteUnfinished(name) }
        guard unlink(path) == 0 else { throw failure("remove", name) }
        try syncFolder(name)
    }

    private func overwriteUnfinished(_ name: String) throws(NodeError) {
        let path = path(Self.unfinished(name))
        // A copy from a backup may be readable only.
        fchmodat(AT_FDCWD, path, 0o600, AT_SYMLINK_NOFOLLOW)
        let file = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { throw failure("remove", name) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw failure("remove", name) }
        let zeros = [UInt8](repeating: 0, count: min(Int(status.st_size), Self.maximumErased))
        guard pwrite(file, zeros, zeros.count, 0) == zeros.count, fsync(file) == 0 else {
            throw failure("overwrite", name)
        }
    }

    /// What to throw about a file that is not what was written.
    func damaged(_ name: String, _ what: String = "is damaged") -> NodeError {
        NodeError(
            .damagedHome, "The key file \(path(name)) \(what)",
            hint: "Restore the folder \(folder) from a backup; without it this node cannot act as the same device.")
    }

    /// More than any file of keys has.
    private static let maximumErased = 4_096

    private static func unfinished(_ name: String) -> String { name + ".new" }

    /// Whether something has a name, also a link that leads nowhere.
    private func isThere(_ name: String) -> Bool {
        var place = stat()
        return lstat(path(name), &place) == 0
    }

    private func read(_ name: String, into memory: UnsafeMutableRawBufferPointer) throws(NodeError) -> Int? {
        // Root may read files that the owner of this folder may not: a link could lead root to another user's keys.
        let file = open(path(name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw unreadable(name)
        }
        defer { close(file) }
        guard Home.mayRead(file, asOneOf: home) else { throw unreadable(name, because: EACCES) }
        var count = 0
        while count < memory.count {
            let result = Glibc.read(file, memory.baseAddress.map { $0 + count }, memory.count - count)
            if result == 0 { break }
            if result > 0 { count += result } else if errno != EINTR { throw unreadable(name) }
        }
        return count
    }

    private func write(raw bytes: UnsafeRawBufferPointer, to name: String) throws(NodeError) {
        let temporary = Self.unfinished(name)
        // What is there was not finished, or is a link that leads elsewhere.
        if isThere(temporary) { try eraseUnfinished(name) }
        let file = open(path(temporary), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure("create", name) }
        defer { close(file) }
        guard Glibc.write(file, bytes.baseAddress, bytes.count) == bytes.count, fsync(file) == 0,
            rename(path(temporary), path(name)) == 0
        else {
            let failure = failure("write", name)
            // What cannot be erased now is erased at the next start.
            try? eraseUnfinished(name)
            throw failure
        }
        try syncFolder(name)
    }

    /// Makes the names in the folder safe from the loss of power.
    private func syncFolder(_ name: String) throws(NodeError) {
        let folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw failure("keep", name) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw failure("keep", name) }
    }

    private func unreadable(_ name: String, because number: Int32 = errno) -> NodeError {
        let reason = String(cString: strerror(number))
        guard number == EACCES || number == EPERM else { return damaged(name, "cannot be read: \(reason)") }
        return NodeError(
            .permissionDenied, "Cannot read the key file \(path(name)): \(reason)",
            hint: "Check who owns the folder, or choose another one with --home.")
    }

    private func failure(_ what: String, _ name: String) -> NodeError {
        NodeError(
            errno == ENOSPC ? .diskFull : .permissionDenied,
            "Cannot \(what) the key file \(path(name)): \(String(cString: strerror(errno)))",
            hint: "Make room or check the folder's owner, then start again.")
    }
}
