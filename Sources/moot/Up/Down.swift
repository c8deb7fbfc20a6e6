import ArgumentParser
import Glibc
import KeyStore
import LocalAPIModel
import NodeCore

/// `moot down`
struct Down: AsyncParsableCommand {
    /// What programs are told.
    private struct Stopped: Encodable {
        let home: String
        let pid: Int32
    }

    static let configuration = CommandConfiguration(
        abstract: "Stop the node, and wait until it has ended.",
        discussion: """
            The others are told that it goes. What was acknowledged is on the disk, and nothing is lost. It works without an answer of the \
            node, too. A service of systemd stays stopped until it is started again.
            """)

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.reporting { output in
            let home = common.folders.home
            let holder = try self.holder(ofHome: home)
            guard kill(holder.process, SIGTERM) == 0 || errno == ESRCH else {
                throw Failure(
                    .permissionDenied,
                    "The process \(holder.process) cannot be stopped: \(String(cString: strerror(errno)))")
            }
            // Five seconds are what a node gives its services at most.
            try await EndingNode(process: holder.process).waitUntilEnded(within: .seconds(10))
            try output.changed(
                Stopped(home: home, pid: holder.process), "The node of \(TerminalText.line(home)) has ended.")
        }
    }
    /// The node that may be stopped. The number in the file of a dead node may belong to another process by now, and
    /// the number of one in a container means another process here: what counts is what the kernel says of the lock.
    private func holder(ofHome home: String) throws(Failure) -> LockHolder {
        switch LockHolder.hold(ofHome: home) {
        case .node(let holder): return holder
        case .free:
            throw Failure(
                .notRunning, "No node of yours is running on \(home)",
                hint: "A node with another home is stopped with --home; one of a service by systemctl stop.")
        case .unready(let holder):
            throw Failure(
                .notRunning,
                "The home \(home) is in use\(holder.map { " by process \($0.process)" } ?? ""), and no node answers for it",
                hint:
                    "It is a node about to start or to stop, or a command that needs the node to be stopped. Try again in a moment."
            )
        case .unseen:
            throw Failure(
                .permissionDenied,
                "The node of \(home) runs where this shell does not see its process, as in a container",
                hint: "Run moot down there.")
        }
    }
}
