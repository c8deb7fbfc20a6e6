import Foundation
import Testing
import Waiting

/// A terminal with a shell in it, drawn by tmux: what a person sees and types.
///
/// The server is the test's own, on a socket of its own, and ends with the last reference.
final class Screen: Sendable {
    private let scratch: Scratch
    private let socket: String
    /// The server, which stays in the foreground: as a daemon it would outlive the test, and be waited for as part of
    /// the command that began it.
    private let server: Program

    /// Opens a terminal of a size.
    ///
    /// - Parameter environment: What the shell has besides the environment of the tests.
    init(rows: Int, columns: Int, environment: [String: String] = [:]) async throws {
        let scratch = try Scratch()
        let socket = scratch.file("tmux")
        self.scratch = scratch
        self.socket = socket
        // Inside somebody's tmux a server of our own would be refused.
        server = try Program(
            ["-u", "TMUX", "tmux", "-D", "-f", "/dev/null", "-S", socket], environment: ["LC_ALL": "C.UTF-8"],
            output: scratch.file("tmux.out"), errors: scratch.file("tmux.err"))
        await eventually("the terminal is there") { FileManager.default.fileExists(atPath: socket) }
        // A shell without anybody's settings; what it prints before a command is known.
        // Not with tmux's own option: the path of its client comes after that.
        let variables = environment.merging(["PS1": "$ ", "LC_ALL": "C.UTF-8"]) { $1 }.map { "\($0.key)=\($0.value)" }
        let shell = ["env"] + variables + ["bash", "--noprofile", "--norc"]
        try await tmux(["new-session", "-d", "-x", "\(columns)", "-y", "\(rows)"] + shell)
        await eventually("the shell is there") { try await shown().first?.hasPrefix("$") == true }
    }

    deinit {
        server.signal(SIGTERM)
    }

    /// Types text as it is.
    func type(_ text: String) async throws {
        try await tmux(["send-keys", "-l", text])
    }

    /// Presses keys, by tmux's names for them.
    func press(_ keys: String...) async throws {
        try await tmux(["send-keys"] + keys)
    }

    /// Pastes a text as a terminal does.
    func paste(_ text: String) async throws {
        try await tmux(["set-buffer", text])
        try await tmux(["paste-buffer", "-p", "-r"])
    }

    /// Makes the window another size.
    func resize(rows: Int, columns: Int) async throws {
        try await tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
    }

    /// The lines that are shown, without spaces at their ends.
    func shown() async throws -> [String] {
        try await tmux(["capture-pane", "-p"]).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map(String.init)
    }

    /// The same with the codes for colors and weights.
    func shownWithStyles() async throws -> String {
        try await tmux(["capture-pane", "-p", "-e"])
    }

    /// Waits until some line contains a text.
    func expect(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async {
        await eventually("the screen shows \"\(text)\"", within: .seconds(15), sourceLocation: sourceLocation) {
            try await shown().contains { $0.contains(text) }
        }
    }

    /// Waits until no line contains a text.
    func expectNo(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async {
        await eventually("\"\(text)\" is gone", within: .seconds(15), sourceLocation: sourceLocation) {
            try await !shown().contains { $0.contains(text) }
        }
    }

    @discardableResult
    private func tmux(_ arguments: [String]) async throws -> String {
        let outcome = try await Host.thisMachine.run(
            ["tmux", "-u", "-S", socket] + arguments, environment: ["LC_ALL": "C.UTF-8"])
        try #require(outcome.status == 0, "tmux \(arguments): \(outcome.errors)")
        return outcome.output
    }
}
