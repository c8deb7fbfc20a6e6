import Foundation
import Synchronization

/// A running process whose output goes to files, so that no full pipe can ever stop it.
final class Program: Sendable {
    /// What a process left behind when it ended.
    struct Outcome: Sendable {
        /// The exit status, or 128 plus the signal that ended it.
        let status: Int32
        let output: String
        let errors: String
    }

    private struct Start: Error, CustomStringConvertible {
        let description: String
    }

    /// One process starts at a time. Foundation hears of an end by a socket that only the process has; one that started
    /// at the same moment would have it as well, and then an end would be known only when both are gone.
    private static let starting = Mutex(())

    let pid: pid_t
    private let outputPath: String
    private let errorsPath: String
    private let ending: Ending

    /// Starts a program found on `PATH` or named by its path.
    ///
    /// - Parameter input: The file its standard input is read from; nothing when nil.
    init(
        _ arguments: [String], environment: [String: String] = [:], input: String? = nil, output: String, errors: String
    ) throws {
        for path in [output, errors] where !FileManager.default.createFile(atPath: path, contents: nil) {
            throw Start(description: "cannot create \(path)")
        }
        guard let outputHandle = FileHandle(forWritingAtPath: output),
            let errorsHandle = FileHandle(forWritingAtPath: errors),
            let inputHandle = FileHandle(forReadingAtPath: input ?? "/dev/null")
        else { throw Start(description: "cannot open the files of \(arguments)") }
        defer {
            for handle in [outputHandle, errorsHandle, inputHandle] { try? handle.close() }
        }

        let ending = Ending()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = inputHandle
        process.standardOutput = outputHandle
        process.standardError = errorsHandle
        process.terminationHandler = { process in
            let signaled = process.terminationReason == .uncaughtSignal
            ending.report(signaled ? 128 + process.terminationStatus : process.terminationStatus)
        }
        try Self.starting.withLock { _ in try Self.withAllSignalsDelivered { try process.run() } }

        self.pid = process.processIdentifier
        self.outputPath = output
        self.errorsPath = errors
        self.ending = ending
    }

    var isRunning: Bool { ending.status == nil }

    /// What it has written so far.
    var output: String { Self.read(outputPath) }
    var errors: String { Self.read(errorsPath) }

    /// Waits until it has ended. If the waiting task is canceled, the program is killed: a story that exceeds its time
    /// limit does not hang.
    func ended() async -> Outcome {
        let status = await withTaskCancellationHandler {
            await ending.wait()
        } onCancel: {
            signal(SIGKILL)
        }
        return Outcome(status: status, output: output, errors: errors)
    }

    /// Sends it a signal, unless it has ended: its number may belong to another process by then.
    func signal(_ number: Int32) {
        if isRunning { kill(pid, number) }
    }

    /// What its threads do, as the kernel says: the state of each, and the call in which it waits.
    var threads: String {
        let folder = "/proc/\(pid)/task"
        let ids = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let lines = ids.sorted().map { id in
            let state = Self.read("\(folder)/\(id)/status").split(separator: "\n").first { $0.hasPrefix("State:") }
            return "\(id) \(state ?? "gone") \(Self.read("\(folder)/\(id)/wchan"))"
        }
        return lines.isEmpty ? "no process any more" : lines.joined(separator: "; ")
    }

    /// Runs something with no signal blocked in this thread, and none of a terminal ignored.
    ///
    /// A process starts with the signal mask of the thread that starts it, and the threads of the concurrency runtime
    /// block almost everything: such a process would never hear of a SIGTERM. What a shell starts in the background
    /// ignores SIGINT, and so would everything that it starts.
    private static func withAllSignalsDelivered(_ body: () throws -> Void) rethrows {
        var none = sigset_t()
        var previous = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &previous)
        let terminal = [SIGINT, SIGQUIT].map { ($0, Foundation.signal($0, SIG_DFL)) }
        defer {
            for (number, before) in terminal { _ = Foundation.signal(number, before) }
            pthread_sigmask(SIG_SETMASK, &previous, nil)
        }
        try body()
    }

    private static func read(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
}

/// The end of a process, for whoever waits for it.
private final class Ending: Sendable {
    private enum State {
        case running(waiting: [CheckedContinuation<Int32, Never>])
        case ended(status: Int32)
    }

    private let state = Mutex(State.running(waiting: []))

    var status: Int32? {
        state.withLock { state in
            switch state {
            case .running: nil
            case .ended(let status): status
            }
        }
    }

    func report(_ status: Int32) {
        let waiting = state.withLock { state -> [CheckedContinuation<Int32, Never>] in
            defer { state = .ended(status: status) }
            return switch state {
            case .running(let waiting): waiting
            case .ended: []
            }
        }
        for continuation in waiting { continuation.resume(returning: status) }
    }

    func wait() async -> Int32 {
        await withCheckedContinuation { continuation in
            let known = state.withLock { state -> Int32? in
                switch state {
                case .running(let waiting):
                    state = .running(waiting: waiting + [continuation])
                    return nil
                case .ended(let status):
                    return status
                }
            }
            if let known { continuation.resume(returning: known) }
        }
    }
}
