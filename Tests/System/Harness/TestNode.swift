import Foundation
import Testing
import Waiting

/// One `moot up` with a home of its own, driven as its user would: by commands, read as JSON.
actor TestNode {
    /// A command that ended with another exit status than 0.
    struct Refused: Error, CustomStringConvertible {
        let command: String
        let outcome: Program.Outcome
        var description: String { "moot \(command) ended with \(outcome.status): \(outcome.errors)" }
    }

    nonisolated let name: String
    nonisolated let home: String
    private let host: Host
    private nonisolated let scratch: Scratch
    private let options: [String]
    private var daemon: Program?
    private var starts = 0

    /// Describes a node that listens on loopback, or finds its peers by discovery when it runs on a private network.
    ///
    /// - Parameter home: A folder to keep everything in, when it is not one of the test's own.
    init(_ name: String, on host: Host = .thisMachine, home: String? = nil, options: [String] = loopback) throws {
        let scratch = try Scratch()
        self.name = name
        self.host = host
        self.scratch = scratch
        self.home = home ?? scratch.file("home")
        self.options = options
    }

    deinit {
        daemon?.signal(SIGKILL)
    }

    /// No discovery, any free port of loopback.
    static let loopback = ["--listen", anyPort, "--no-discovery"]
    private static let anyPort = "127.0.0.1:0"

    /// The program under test: built next to this test bundle, unless `MOOT` names another.
    static let moot: String =
        ProcessInfo.processInfo.environment["MOOT"]
        ?? URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "moot").path

    // MARK: - Life

    /// Starts the node and waits until it answers.
    ///
    /// - Parameter environment: What its process has besides the environment of the tests.
    func start(
        peers: [TestNode] = [], environment: [String: String] = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        var addresses: [String] = []
        for peer in peers { addresses.append(try await peer.address) }
        try await start(peerAddresses: addresses, environment: environment, sourceLocation: sourceLocation)
    }

    /// Starts the node with peers of which only the addresses are known, and waits until it answers.
    func start(
        peerAddresses: [String], environment: [String: String] = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let arguments = options + peerAddresses.flatMap { ["--peer", $0] }
        let program = try launch(arguments, environment: environment)
        await eventually("\(name)'s node answers", sourceLocation: sourceLocation) {
            guard program.isRunning else {
                throw Refused(command: "up", outcome: await program.ended())
            }
            return try await self.status().user.isEmpty == false
        }
    }

    /// Starts the node and does not wait.
    @discardableResult
    func launch(_ arguments: [String], environment: [String: String] = [:]) throws -> Program {
        starts += 1
        // Whoever remembers where an earlier node was must not meet this one there.
        let given = arguments.map { $0 == Self.anyPort ? "127.0.0.1:\(LoopbackPort.next())" : $0 }
        let program = try Program(
            host.entering + [Self.moot, "up", "--home", home, "--name", name, "--web", "off"] + given,
            // Whoever runs the tests on a desktop does not want to see what they notify of.
            environment: ["DBUS_SESSION_BUS_ADDRESS": ""].merging(environment) { $1 },
            output: scratch.file("up-\(starts).out"), errors: scratch.file("up-\(starts).log"))
        daemon = program
        return program
    }

    /// Stops the node as Ctrl-C would, and expects that it goes at once and in peace.
    func stop(sourceLocation: SourceLocation = #_sourceLocation) async {
        guard let daemon else { return }
        daemon.signal(SIGTERM)
        let stopped = await eventually("\(name)'s node stops", within: .seconds(30), sourceLocation: sourceLocation) {
            !daemon.isRunning
        }
        if !stopped {
            Issue.record("it did this: \(daemon.threads)\n\(daemon.errors)", sourceLocation: sourceLocation)
            daemon.signal(SIGKILL)
        }
        let outcome = await daemon.ended()
        #expect(!stopped || outcome.status == 0, "\(outcome.errors)", sourceLocation: sourceLocation)
        self.daemon = nil
    }

    /// Ends the node as a power cut would: at once, in the middle of whatever it does.
    func kill() async {
        daemon?.signal(SIGKILL)
        _ = await daemon?.ended()
        daemon = nil
    }

    /// Stops the node from doing anything, with its connections open: the worst kind of silence.
    func freeze() {
        daemon?.signal(SIGSTOP)
    }

    /// Lets a frozen node go on.
    func thaw() {
        daemon?.signal(SIGCONT)
    }

    /// Whether the node's process is there.
    var isRunning: Bool { daemon?.isRunning ?? false }

    /// Where other nodes reach it.
    var address: String {
        get async throws { try #require(try await status().listening.first, "\(name) listens nowhere") }
    }

    // MARK: - Commands

    /// Watches a conversation in the background until it is signaled.
    func watch(_ conversation: String) async throws -> Program {
        starts += 1
        let program = try Program(
            host.entering + [Self.moot, "watch", conversation], environment: ["MOOT_HOME": home],
            output: scratch.file("watch-\(starts).out"), errors: scratch.file("watch-\(starts).log"))
        await eventually("\(name) watches") { program.errors.contains("Watching") }
        return program
    }

    /// What a conversation is called.
    func title(of conversation: String) async throws -> String {
        try await answer("info", conversation, as: ConversationAnswer.self).title
    }

    /// Runs a command and returns whatever became of it.
    ///
    /// - Parameter environment: What its process has besides the environment of the tests.
    func outcome(
        _ arguments: [String], environment: [String: String] = [:], input: String? = nil
    ) async throws -> Program.Outcome {
        try await host.run(
            [Self.moot] + arguments, environment: ["MOOT_HOME": home].merging(environment) { $1 }, input: input)
    }

    /// Runs a command that must succeed.
    @discardableResult
    func run(_ arguments: String..., input: String? = nil) async throws -> String {
        let outcome = try await outcome(arguments, input: input)
        guard outcome.status == 0 else {
            throw Refused(command: arguments.joined(separator: " "), outcome: outcome)
        }
        return outcome.output
    }

    /// Runs a command that must succeed and reads its answer.
    ///
    /// While a story waits for something it asks again and again. Then the same is asked over the socket, without a
    /// process for each question.
    func answer<Answer: Decodable>(_ arguments: String..., as type: Answer.Type = Answer.self) async throws -> Answer {
        if Wait.isPolling, let target = Self.target(of: arguments),
            FileManager.default.fileExists(atPath: "\(home)/moot.sock")
        {
            return try await LocalConnection(home: home).look(at: target)
        }
        let outcome = try await outcome(arguments + ["--json"])
        guard outcome.status == 0 else {
            throw Refused(command: arguments.joined(separator: " "), outcome: outcome)
        }
        return try decode(outcome.output)
    }

    /// The place in the interface that answers with what a command prints; nil for one that does more than ask there
    /// once.
    private static func target(of arguments: [String]) -> String? {
        let words = arguments.map { $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? $0 }
        switch (words[0], words.count) {
        case ("status", 1), ("peers", 1), ("people", 1), ("verify", 1): return "/\(words[0])"
        case ("list", 1): return "/conversations"
        case ("info", 2): return "/conversations/\(words[1])"
        case ("read", 4) where arguments[2] == "--limit": return "/conversations/\(words[1])/messages?limit=200"
        case ("read", 6) where arguments[2] == "--limit" && arguments[4] == "--before":
            return "/conversations/\(words[1])/messages?limit=200&before=\(words[5])"
        default: return nil
        }
    }

    /// Reads what a command printed with `--json`.
    nonisolated func decode<Answer: Decodable>(_ output: String) throws -> Answer {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Answer.self, from: Data(output.utf8))
    }

    /// Runs a command that must be refused and returns the error's code.
    func refusal(_ arguments: String...) async throws -> String { try await refusal(arguments) }

    /// The code with which a command is refused.
    func refusal(_ arguments: [String]) async throws -> String {
        let outcome = try await outcome(arguments + ["--json"])
        try #require(outcome.status == 1, "\(outcome.output)\(outcome.errors)")
        // How far an upload came may stand before it.
        let line = outcome.errors.split(separator: "\n").last ?? ""
        return try JSONDecoder().decode(ErrorAnswer.self, from: Data(line.utf8)).error.code
    }

    // MARK: - Questions

    func status() async throws -> StatusAnswer {
        try await answer("status")
    }

    /// The names of everybody it has met and is connected to.
    func peers() async throws -> Set<String> {
        Set(try await answer("peers", as: [PeerAnswer].self).map(\.name))
    }

    /// The names of everybody it has met.
    func people() async throws -> Set<String> {
        Set(try await answer("people", as: [PersonAnswer].self).filter { !$0.isMe }.map(\.name))
    }

    /// What people wrote in a conversation, in the order shown, oldest first.
    func texts(in conversation: String) async throws -> [String] {
        try await messages(in: conversation).filter { $0.kind == "text" }.map(\.text)
    }

    /// All messages of a conversation in the order shown, oldest first.
    func messages(in conversation: String) async throws -> [MessageAnswer] {
        var messages: [MessageAnswer] = []
        var page: MessagePageAnswer = try await answer("read", conversation, "--limit", "5000")
        messages = page.messages
        while let earlier = page.earlier {
            page = try await answer("read", conversation, "--limit", "5000", "--before", earlier)
            messages = page.messages + messages
        }
        return messages
    }

    /// The contents of every file there is of the node, by path: its home, and what it said on both outputs.
    nonisolated func files() throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for folder in Set([scratch.path, home]) {
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
                // Folders and sockets have no contents; a file that went meanwhile is not there to be read.
                contents["\(folder)/\(name)"] = FileManager.default.contents(atPath: "\(folder)/\(name)")
            }
        }
        return contents
    }

    /// The node's own words about itself, for an issue that needs them.
    var log: String { daemon?.errors ?? "" }
}
