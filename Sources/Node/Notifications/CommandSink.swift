import Dispatch
import Foundation
import Glibc
import LocalAPIModel
import Logging
import Synchronization

/// Runs a program of the user for every notification.
///
/// No shell is involved: the program gets no arguments, and the notification as JSON on its standard input and in the
/// environment variables MOOT_TITLE, MOOT_BODY, MOOT_CONVERSATION, MOOT_MESSAGE, MOOT_COUNT and MOOT_LINK. One runs at
/// a time and is killed when it takes too long; meanwhile the newest notification of each conversation waits.
public final class CommandSink: NotificationSink {
    private struct State {
        var waiting: [NotificationDescription] = []
        var running: Process?
        var isStopped = false
    }

    private let program: URL
    private let timeout: Duration
    private let logger: Logger
    private let queue = DispatchQueue(label: "moot.notify-command")
    private let state = Mutex(State())

    /// Takes a program.
    ///
    /// - Parameters:
    ///   - program: a path, or a name to look for in `path`; nothing else is made of it.
    ///   - timeout: how long it may run.
    /// - Returns: nil if there is no such program.
    public init?(program: String, path: String, timeout: Duration = .seconds(10), logger: Logger) {
        let places =
            program.contains("/")
            ? [program] : path.split(separator: ":").map { "\($0)/\(program)" }
        guard let found = places.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else { return nil }
        self.program = URL(filePath: found)
        self.timeout = timeout
        self.logger = logger
    }

    /// Begins: it hears nothing of what the user does with a notification.
    public func start(acting act: @escaping @Sendable (NotificationAction) -> Void) {}

    /// Does nothing, as nobody acts on what a program was told.
    public func open(_ notification: NotificationDescription) {}

    /// Runs the program for a notification as soon as it is its turn.
    public func show(_ notification: NotificationDescription) {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.waiting.removeAll { $0.conversation == notification.conversation }
            state.waiting.append(notification)
        }
        queue.async { self.runNext() }
    }

    /// Runs the program no more for a conversation that was read before its turn came.
    public func clear(conversation: String) {
        state.withLock { $0.waiting.removeAll { $0.conversation == conversation } }
    }

    /// Kills the program that runs, and runs it no more.
    public func stop() {
        let running = state.withLock { state in
            state.isStopped = true
            state.waiting = []
            return state.running
        }
        if let running { Self.kill(running) }
    }

    /// Runs the program for one notification and waits for its end, on its own queue.
    private func runNext() {
        guard let next = state.withLock({ $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }) else { return }
        do {
            let process = try process(for: next)
            let ended = DispatchSemaphore(value: 0)
            process.terminationHandler = { _ in ended.signal() }
            try process.run()
            let isStopped = state.withLock { state in
                state.running = process
                return state.isStopped
            }
            let timeout = DispatchTimeInterval.nanoseconds(Int(self.timeout / .nanoseconds(1)))
            if isStopped || ended.wait(timeout: .now() + timeout) == .timedOut {
                Self.kill(process)
                ended.wait()
                if !isStopped { logger.warning("the notify command was killed: it took too long") }
            } else if process.terminationStatus != 0 {
                logger.warning("the notify command failed", metadata: ["status": "\(process.terminationStatus)"])
            }
            state.withLock { $0.running = nil }
        } catch {
            logger.warning("the notify command does not run", metadata: ["error": "\(error)"])
        }
    }

    private func process(for notification: NotificationDescription) throws -> Process {
        let process = Process()
        process.executableURL = program
        process.environment = ProcessInfo.processInfo.environment.merging([
            "MOOT_TITLE": notification.title, "MOOT_BODY": notification.body,
            "MOOT_CONVERSATION": notification.conversation, "MOOT_MESSAGE": notification.message ?? "",
            "MOOT_COUNT": "\(notification.count)", "MOOT_LINK": notification.link,
        ]) { $1 }
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // It has room for all of it without anybody reading, so writing never waits for the program.
        let input = Pipe()
        // With the end of a line, which `read` of a shell waits for.
        try input.fileHandleForWriting.write(contentsOf: encoder.encode(notification) + [UInt8(ascii: "\n")])
        try input.fileHandleForWriting.close()
        process.standardInput = input.fileHandleForReading
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return process
    }

    /// Ends the program and, where it leads a process group, what it started.
    private static func kill(_ process: Process) {
        let id = process.processIdentifier
        guard process.isRunning, id > 0 else { return }
        _ = Glibc.kill(-id, SIGKILL)
        _ = Glibc.kill(id, SIGKILL)
    }
}
