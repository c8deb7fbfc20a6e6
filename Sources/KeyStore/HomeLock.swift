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
        // Root only looks at a home of another user, who could not lock a file of root's.
        let creation = Home.isForeign(folder) ? 0 : O_CREAT
        let opened = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | creation, 0o600)
        guard opened >= 0 else {
            throw NodeError(
                .permissionDenied, "Cannot write to \(folder): \(String(cString: strerror(errno)))",
                hint: "Check who owns the folder, or choose another one with --home.")
        }
        // Where another user leads the way, the file may be anybody's.
        guard Home.mayRead(opened, asOneOf: folder) else {
            close(opened)
            throw NodeError(
                .permissionDenied, "The file \(path) does not belong to whoever owns the folder",
                hint: "Ask as that user, or choose another folder with --home.")
        }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            let holder = LockHolder(reading: opened)
            close(opened)
            throw NodeError(
                .homeInUse,
                "Another node is already running on \(folder)" + (holder.map { " (process \($0.process))" } ?? ""),
                hint: "Use that node, stop it first, or choose another folder with --home.")
        }
        descriptor = opened
        note(socket: nil)
    }

    /// Says in the file who holds the lock, and where their node listens. A help for people and commands: the lock
    /// itself is what counts.
    package func note(socket: String?) {
        let lines = LockHolder.lines(process: getpid(), socket: socket)
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, lines, lines.count, 0) }
    }

    /// Lets another node have the home. The file stays open, so that its number cannot come to mean another file.
    package func release() {
        // Nobody listens there any more.
        _ = ftruncate(descriptor, 0)
        _ = flock(descriptor, LOCK_UN)
    }

    deinit {
        close(descriptor)
    }
}
