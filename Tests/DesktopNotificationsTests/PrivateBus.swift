import Foundation

/// A session bus that nobody else uses, on a socket of its own, for as long as the value lives.
final class PrivateBus {
    struct Failed: Error {}

    /// Where `dbus-daemon` is, or nil where it is not installed.
    static let daemon = ["/usr/bin/dbus-daemon", "/bin/dbus-daemon"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    let address: String
    private let process = Process()
    private let folder: URL

    /// - Parameter user: whose process it is, by number; this user's if nil. Then anybody may connect, as to a bus in a
    ///   shared space of names.
    init(of user: uid_t? = nil) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "moot-bus-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let output = Pipe()
        let daemon = Self.daemon ?? "/usr/bin/dbus-daemon"
        let arguments = ["--session", "--nofork", "--nopidfile", "--print-address"]
        if let user {
            process.executableURL = URL(filePath: "/usr/bin/setpriv")
            process.arguments =
                ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", daemon] + arguments
                + ["--address=unix:abstract=\(folder.path)/bus"]
        } else {
            process.executableURL = URL(filePath: daemon)
            process.arguments = arguments + ["--address=unix:path=\(folder.path)/bus"]
        }
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        // One line, written as soon as it listens.
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        address = line.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !address.isEmpty else { throw Failed() }
    }

    /// Makes the bus hang, with its socket open.
    func freeze() { kill(process.processIdentifier, SIGSTOP) }

    /// Ends the bus.
    func stop() {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: folder)
    }
}
