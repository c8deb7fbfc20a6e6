import Foundation
import Testing
import Waiting

/// Types what a document shows, on the hosts of the people whom it names, and compares what comes.
///
/// Whoever reads the document has a node that `moot up` starts, as the document says; the others' nodes are those of
/// the story.
actor ConsoleSession {
    /// The nodes by the names of their hosts; the reader's own has none.
    private let nodes: [String: TestNode]
    private let folder: Scratch
    /// Where the reader's node finds the others.
    private let peers: [String]
    private var names = MadeUpNames()
    /// The homes whose nodes `moot up` started.
    private var homes: Set<String> = []

    /// Begins a session whose commands are all typed in one folder, which is also everybody's home directory.
    ///
    /// - Parameters:
    ///   - reader: whose node is not running yet.
    ///   - others: by the names of their hosts; the node of the reader is told where they are, if they run.
    init(reader: TestNode, others: [String: TestNode], in folder: Scratch) async throws {
        nodes = others.merging(["": reader]) { $1 }
        self.folder = folder
        var peers: [String] = []
        for other in others.values {
            if await other.isRunning { peers.append(try await other.address) }
        }
        self.peers = peers
        for (host, node) in nodes {
            let runtime = folder.file("run-\(host)")
            try FileManager.default.createDirectory(atPath: runtime, withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(atPath: "\(runtime)/moot", withDestinationPath: node.home)
        }
    }

    deinit {
        // Nodes that a story left running when it failed.
        for home in homes {
            guard let process = Self.process(of: home),
                let arguments = FileManager.default.contents(atPath: "/proc/\(process)/cmdline"),
                arguments.range(of: Data("--report-to".utf8)) != nil
            else { continue }
            kill(process, SIGKILL)
        }
    }

    /// Types a command and expects what the document shows below it.
    ///
    /// What is refused has changed nothing, and a question never does. Either is typed again for a while, until it
    /// comes out as shown: the reader of the document would have waited a moment, too.
    func perform(_ step: ConsoleStep, within limit: Duration = .seconds(20)) async throws {
        guard !step.startsNode else { return try await start(step) }
        if step.command.hasPrefix("moot passphrase") { try await stop(home(of: step)) }
        let command = names.real(step.command)
        let shown = step.output.map(MadeUpNames.unspecific)
        let deadline = ContinuousClock.now + limit.scaled
        var outcome = try await run(command, for: step)
        func isAsShown() -> Bool {
            outcome.status == 0 && (shown.isEmpty || outcome.lines.map(MadeUpNames.unspecific) == shown)
        }
        while !isAsShown(), outcome.status != 0 || step.isQuestion, .now < deadline {
            try await Task.sleep(for: .milliseconds(50))
            outcome = try await run(command, for: step)
        }
        #expect(outcome.status == 0, "\(command): \(outcome.lines)")
        guard !shown.isEmpty else { return }
        #expect(outcome.lines.map(MadeUpNames.unspecific) == shown, "\(command): \(outcome.lines)")
        for (line, real) in zip(step.output, outcome.lines) { names.learn(line, as: real) }
    }

    /// Stops the nodes that were started.
    func end() async throws {
        for home in homes { try await stop(home) }
    }

    // MARK: - Nodes

    /// Starts a node as the document says, but in the background and away from the network of this machine, and in the
    /// place of the one that runs with the same home.
    private func start(_ step: ConsoleStep) async throws {
        let place = try home(of: step)
        try await stop(place)
        var words = [step.command.replacing("scripts/up", with: "moot up")] + TestNode.loopback
        words += peers.flatMap { ["--peer", $0] }
        if !step.command.contains("--detach") { words.append("--detach") }
        homes.insert(place)
        let outcome = try await run(words.joined(separator: " "), for: step)
        #expect(outcome.lines.contains { $0.hasSuffix("is ready.") }, "\(step.command): \(outcome.lines)")
    }

    /// Stops the node of a home, if `moot up` started one that still runs.
    private func stop(_ home: String) async throws {
        guard homes.remove(home) != nil, try await isInUse(home), let process = Self.process(of: home) else { return }
        kill(process, SIGTERM)
        await eventually("the node of \(home) has ended") { try await !self.isInUse(home) }
    }

    /// Whether a node holds the lock of a home.
    private func isInUse(_ home: String) async throws -> Bool {
        try await Host.thisMachine.run(["flock", "--nonblock", "\(home)/lock", "true"]).status != 0
    }

    /// The process that took the lock of a home last.
    private static func process(of home: String) -> pid_t? {
        let text = try? String(contentsOfFile: "\(home)/lock", encoding: .utf8)
        return text.flatMap { pid_t($0.prefix { $0 != "\n" }) }
    }

    /// The home that a command names, or that of the host on which it is typed.
    private func home(of step: ConsoleStep) throws -> String {
        guard let named = step.command.firstMatch(of: /--home ~\/(\S+)/) else { return try node(of: step).home }
        return folder.file(String(named.output.1))
    }

    private func node(of step: ConsoleStep) throws -> TestNode {
        try #require(nodes[step.host], "\(step.command): nobody has a host \"\(step.host)\"")
    }

    // MARK: - Typing

    /// What came of a command.
    private struct Outcome {
        /// The exit status; 0 where a person typed, who sees none.
        var status: Int32 = 0
        /// What was printed, on both outputs.
        let lines: [String]
    }

    private func run(_ command: String, for step: ConsoleStep) async throws -> Outcome {
        let programs = URL(filePath: TestNode.moot).deletingLastPathComponent().path
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let environment = [
            "PATH": "\(programs):\(path)", "HOME": folder.path, "MOOT_HOME": try node(of: step).home,
            "XDG_RUNTIME_DIR": folder.file("run-\(step.host)"), "NO_COLOR": "1", "DISPLAY": "", "WAYLAND_DISPLAY": "",
            "DBUS_SESSION_BUS_ADDRESS": "",
        ]
        guard step.answers.isEmpty, step.beginning == nil else {
            return Outcome(lines: try await type(command, for: step, environment))
        }
        let outcome = try await Host.thisMachine.run(
            ["bash", "-c", "cd \"$HOME\"; \(command) 2>&1"], environment: environment)
        return Outcome(status: outcome.status, lines: outcome.output.split(separator: "\n").map(String.init))
    }

    /// Types a command into a terminal, as one that asks or takes the whole screen needs it.
    private func type(
        _ command: String, for step: ConsoleStep, _ environment: [String: String]
    ) async throws -> [String] {
        let screen = try await Screen(rows: 50, columns: 240, environment: environment)
        // Comes back when the command has ended: the only line that is a prompt alone.
        func isAtPrompt() async throws -> Bool { try await screen.shown().last { !$0.isEmpty } == "$" }
        try await screen.type("cd; clear")
        try await screen.press("Enter")
        await eventually("the screen is empty") { try await screen.shown().filter { !$0.isEmpty } == ["$"] }
        try await screen.type(command)
        try await screen.press("Enter")
        for (question, answer) in step.answers {
            await screen.expect(question)
            try await screen.type(answer)
            try await screen.press("Enter")
        }
        if let beginning = step.beginning {
            await screen.expect(beginning)
            try await screen.press("C-c")
        }
        await eventually("\(command) has ended") { try await isAtPrompt() }
        return Array(try await screen.shown().filter { !$0.isEmpty }.dropFirst().dropLast())
    }
}
