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
    static func run(_ name: String, _ arguments: String...) -> Outcome { run(name, arguments) }

    /// Runs a program.
    static func run(_ name: String, _ arguments: [String]) -> Outcome {
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
        let bytes = read(output.fileHandleForReading.fileDescriptor, until: .now + .seconds(timeout))
        try? output.fileHandleForReading.close()
        if bytes == nil { kill(pid, SIGKILL) }
        process.waitUntilExit()
        guard let bytes, process.terminationReason == .exit, process.terminationStatus == 0 else { return .refused }
        return .printed(String(decoding: bytes, as: UTF8.self))
    }

    /// Reads to the end; nil if that does not come in time. Something that the program started may hold its output open for as long as it likes.
    private static func read(_ file: Int32, until end: ContinuousClock.Instant) -> [UInt8]? {
        var (bytes, piece): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 16 << 10))
        while bytes.count < maximumBytes {
            let left = end - .now
            var waiting = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            guard left > .zero, poll(&waiting, 1, Int32(left / .milliseconds(1)) + 1) > 0 else { return nil }
            let count = Glibc.read(file, &piece, piece.count)
            if count == 0 { return bytes }
            guard count > 0 else { return nil }
            bytes += piece.prefix(count)
        }
        return bytes
    }
}
