import ArgumentParser
import Glibc
import LocalAPIClient
import LocalAPIModel

/// `moot lock`
struct Lock: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Stop the node, so that its keys leave memory.",
        discussion: "They must be behind a passphrase. The next `moot up` asks for it.")

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let locked = try await node.lock()
        let deadline = ContinuousClock.now + .seconds(10)
        while Self.hasMemory(locked.pid) {
            guard ContinuousClock.now < deadline else {
                throw Failure(
                    .networkError, "The node has not ended after 10 seconds", hint: "End it with: kill \(locked.pid)")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        try output.changed(locked, "The node has ended, and its keys have left memory.")
    }

    /// Whether a process is there and more than an exit status that nobody has asked for (proc_pid_stat(5)).
    private static func hasMemory(_ process: Int32) -> Bool {
        guard let file = try? InputFile("/proc/\(process)/stat"), let bytes = try? file.read() else { return false }
        let words = String(decoding: bytes, as: UTF8.self)
        guard let end = words.lastIndex(of: ")") else { return false }
        let state = words[end...].dropFirst(2).first
        return state != "Z" && state != "X"
    }
}
