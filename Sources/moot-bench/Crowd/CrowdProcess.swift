import Foundation
import Synchronization

/// A process of the crowd, which is ended with it.
final class CrowdProcess: Sendable {
    let pid: pid_t
    private let isOver: @Sendable () -> Bool

    /// Starts a program found on `PATH` or named by its path.
    ///
    /// - Parameters:
    ///   - input: What it reads; nothing where left out.
    ///   - errors: The file for what it says on both outputs.
    init(_ arguments: [String], input: Pipe? = nil, errors: String) throws {
        guard FileManager.default.createFile(atPath: errors, contents: nil),
            let output = FileHandle(forWritingAtPath: errors)
        else { throw BenchError("cannot write to \(errors)") }
        defer { try? output.close() }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.environment = Self.environment
        if let input { process.standardInput = input } else { process.standardInput = FileHandle.nullDevice }
        process.standardOutput = output
        process.standardError = output
        let ending = Ending()
        process.terminationHandler = { _ in ending.isOver.withLock { $0 = true } }
        try Self.withAllSignalsDelivered { try process.run() }
        pid = process.processIdentifier
        isOver = { ending.isOver.withLock { $0 } }
    }

    var isRunning: Bool { !isOver() }

    /// Ends it at once, unless it has ended: its number may belong to another process by then.
    func kill() {
        if isRunning { Glibc.kill(pid, SIGKILL) }
    }

    /// Waits until it has ended.
    func ended() async throws {
        while isRunning { try await Task.sleep(for: .milliseconds(5)) }
    }

    /// Processor time it has taken, of all its threads.
    var processorSeconds: Double {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(pid, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Runs a command to its end, and returns what it prints.
    ///
    /// - Throws: ``BenchError`` with what it says if it fails.
    @discardableResult
    static func run(_ arguments: [String]) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.environment = environment
        let (output, errors) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try withAllSignalsDelivered { try process.run() }
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        let said = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchError(
                "\(arguments.joined(separator: " ").prefix(200)): \(String(decoding: said, as: UTF8.self))")
        }
        return printed
    }

    /// `ip` and its kind are in /usr/sbin, which is not on every user's PATH. Nobody wants to see what the nodes notify
    /// of.
    private static let environment = ProcessInfo.processInfo.environment.merging([
        "PATH": (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin") + ":/usr/sbin:/sbin",
        "DBUS_SESSION_BUS_ADDRESS": "",
    ]) { $1 }

    /// Runs something with no signal blocked in this thread.
    ///
    /// A process starts with the signal mask of the thread that starts it, and the threads of the concurrency runtime
    /// block almost everything.
    private static func withAllSignalsDelivered(_ body: () throws -> Void) rethrows {
        var none = sigset_t()
        var previous = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        try body()
    }

    private final class Ending: Sendable {
        let isOver = Mutex(false)
    }
}
