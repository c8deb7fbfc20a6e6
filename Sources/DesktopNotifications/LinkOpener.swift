import Foundation
import Logging

/// Hands addresses of conversations to the desktop, which starts the program that opens them: `moot open` in a
/// terminal.
struct LinkOpener: Sendable {
    /// What that program is called among the desktop's applications.
    private static let entry = "applications/moot.desktop"

    private let environment: [String: String]
    private let logger: Logger

    /// Sees the desktop in the variables of a process.
    init(environment: [String: String], logger: Logger) {
        self.environment = environment
        self.logger = logger
    }

    /// Opens an address, and returns at once. Where the program is not installed nothing happens: a desktop that knows
    /// none for an address may show an error or a browser.
    func open(_ link: String) {
        guard isInstalled else { return }
        let opener = ["xdg-open", link]
        guard variable("INVOCATION_ID") != nil else { return start(opener) }
        // A service confines what it starts, and its end is theirs. So the user's manager starts the opener, and what
        // that leaves running, such as a browser, goes on without it.
        let outside = ["systemd-run", "--user", "--quiet", "--collect", "--property=KillMode=process", "--"]
        start(outside + opener) { [self] in start(opener) }
    }

    /// Starts a program.
    ///
    /// - Parameter failed: called when the program ended and was not content.
    private func start(_ arguments: [String], orElse failed: (@Sendable () -> Void)? = nil) {
        let process = Process()
        // It looks for the program where a shell would.
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        if let failed {
            process.terminationHandler = { if $0.terminationStatus != 0 || $0.terminationReason != .exit { failed() } }
        }
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            logger.notice("the desktop opens no addresses", metadata: ["error": "\(error)"])
        }
    }

    /// Whether one of the folders that the desktop looks through has the entry (XDG Base Directory Specification).
    private var isInstalled: Bool {
        let own = variable("XDG_DATA_HOME") ?? variable("HOME").map { "\($0)/.local/share" }
        let shared = (variable("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").split(separator: ":").map(String.init)
        return ([own].compactMap(\.self) + shared).contains { folder in
            FileManager.default.fileExists(atPath: "\(folder)/\(Self.entry)")
        }
    }

    private func variable(_ name: String) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
