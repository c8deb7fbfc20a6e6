import LocalAPIModel
import NodeCore

/// A node that was asked to end.
struct EndingNode {
    let process: Int32

    /// Waits until the process has left memory.
    ///
    /// - Throws: `network_error` if it has not in time.
    func waitUntilEnded(within limit: Duration) async throws {
        let deadline = ContinuousClock.now + limit
        while hasMemory {
            guard ContinuousClock.now < deadline else {
                throw Failure(
                    .networkError, "The node has not ended after \(limit.components.seconds) seconds",
                    hint: "End it with: kill -KILL \(process). Nothing that was acknowledged is lost.")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Whether the process is there and more than an exit status that nobody has asked for (proc_pid_stat(5)).
    private var hasMemory: Bool {
        guard let file = try? InputFile("/proc/\(process)/stat"), let bytes = try? file.read() else { return false }
        let words = String(decoding: bytes, as: UTF8.self)
        guard let end = words.lastIndex(of: ")") else { return false }
        let state = words[end...].dropFirst(2).first
        return state != "Z" && state != "X"
    }
}
