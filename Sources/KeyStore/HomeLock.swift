import Glibc
import NodeCore

/// Keeps a second node out of a home while one runs. The kernel gives the lock up with the process, however it ends.
package final class HomeLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock of a folder.
    ///
    /// - Throws: `home_in_use` with the process id of the node that holds it.
    init(folder: String) throws(NodeError) {
        let path = folder + "/lock"
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard opened >= 0 else {
            throw NodeError(
                .permissionDenied, "Cannot write to \(folder): \(String(cString: strerror(errno)))",
                hint: "Check who owns the folder, or choose another one with --home.")
        }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            var text = [UInt8](repeating: 0, count: 16)
            let count = max(0, read(opened, &text, text.count))
            close(opened)
            let holder = String(decoding: text.prefix(count).filter { (48...57).contains($0) }, as: UTF8.self)
            throw NodeError(
                .homeInUse,
                "Another node is already running on \(folder)" + (holder.isEmpty ? "" : " (process \(holder))"),
                hint: "Use that node, stop it first, or choose another folder with --home.")
        }
        let mine = Array("\(getpid())\n".utf8)
        // Only a help for people: the lock itself is what counts.
        if ftruncate(opened, 0) == 0 { _ = pwrite(opened, mine, mine.count, 0) }
        descriptor = opened
    }

    /// Lets another node have the home. The file stays open, so that its number cannot come to mean another file.
    package func release() {
        _ = flock(descriptor, LOCK_UN)
    }

    deinit {
        close(descriptor)
    }
}
