import Dispatch
import Foundation

/// A program of the system that only prints, with fixed arguments.
enum ReadOnlyCommand {
    /// What came of it.
    enum Outcome: Equatable {
        /// There is no such program.
        case missing
        /// It ended with an error, or not in time: mostly it may be run by root only.
        case refused
        /// What it printed.
        case printed(String)
    }

    /// Longer outputs are cut.
    private static let maximumBytes = 4 << 20
    private static let timeout = 1.0
    /// Programs that look at the firewall are not on every user's path.
    private static let administration = ["/usr/sbin", "/sbin"]

    /// Runs a program.
    static func run(_ name: String, _ arguments: String...) -> Outcome {
        let path = (Folders.processEnvironment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map { String($0) }
        let places = (path + administration).map { "\($0)/\(name)" }
        guard let program = places.first(where: { $0.hasPrefix("/") && access($0, X_OK) == 0 }) else {
            return .missing
        }
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return .refused }
        let pid = process.processIdentifier
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.setEventHandler { kill(pid, SIGKILL) }
        timer.schedule(deadline: .now() + timeout)
        timer.activate()
        let bytes = (try? output.fileHandleForReading.read(upToCount: maximumBytes)) ?? nil
        try? output.fileHandleForReading.close()
        process.waitUntilExit()
        timer.cancel()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else { return .refused }
        return .printed(bytes.map { String(decoding: $0, as: UTF8.self) } ?? "")
    }
}
