import Foundation

/// How fast something is that people look at, on a node with many messages, next to its goals.
///
/// A script measures: a browser and a terminal are driven from Python here. This starts it and takes its figures over,
/// so that both tell the same.
struct ScreenSpeed: Codable {
    /// What is looked at.
    enum Screen: String, Codable {
        /// The page, in a browser.
        case page = "the page"
        /// `moot chat`, on a pseudo terminal.
        case chat = "moot chat"

        /// Conversations of the node.
        var conversations: Int { self == .page ? 100 : 1_000 }
        fileprivate var script: String { self == .page ? "Tests/Page/speed.py" : "Tests/Chat/speed.py" }
    }

    /// What was measured, with the most it is to be.
    struct Figure: Codable {
        var what: String
        var value: Double
        var unit: String
        var goal: Double

        /// How it compares with the goal; nil where the goal is none at all.
        var ratio: Double? { goal > 0 ? value / goal : nil }
        /// Whether the goal is reached.
        var isReached: Bool { value <= goal }
    }

    var screen: Screen
    var messages: Int
    var figures: [Figure]

    /// Measures a screen of a program.
    ///
    /// - Throws: ``BenchError`` that says what is missing: the sources, Python, or for the page the environment of its
    ///   tests or Chromium.
    static func measure(_ screen: Screen, messages: Int, program: String, cleanup: Cleanup) throws -> ScreenSpeed {
        let checkout = try checkout(with: screen.script)
        let process = Process()
        process.executableURL = try screen == .page ? browserPython(of: checkout) : python()
        process.arguments = [
            checkout.appendingPathComponent(screen.script).path, "--json", "--moot", program, "--messages",
            String(messages), "--conversations", String(screen.conversations),
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.standardError
        try process.run()
        // It takes the nodes and the browser with it.
        cleanup.add { if process.isRunning { process.terminate() } }
        let lines = output.fileHandleForReading.readDataToEndOfFile().split(separator: UInt8(ascii: "\n"))
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchError(
                "\(screen.rawValue) was not measured: \(screen.script) ended with \(process.terminationStatus)")
        }
        let decoder = JSONDecoder()
        return ScreenSpeed(
            screen: screen, messages: messages, figures: try lines.map { try decoder.decode(Figure.self, from: $0) })
    }

    /// The folder above this program that has a script.
    private static func checkout(with script: String) throws -> URL {
        var folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        while !FileManager.default.fileExists(atPath: folder.appendingPathComponent(script).path) {
            guard folder.path != "/" else {
                throw BenchError("\(script) measures this, and is not next to this program")
            }
            folder.deleteLastPathComponent()
        }
        return folder
    }

    private static func python() throws -> URL {
        guard let python = program("python3") else { throw BenchError("python3 is not installed") }
        return python
    }

    /// The Python that has what drives a browser, where there is one.
    private static func browserPython(of checkout: URL) throws -> URL {
        let place =
            ProcessInfo.processInfo.environment["MOOT_PAGE_TOOLS"].map { URL(fileURLWithPath: $0) }
            ?? checkout.appendingPathComponent(".build/page")
        let python = place.appendingPathComponent("environment/bin/python")
        guard FileManager.default.isExecutableFile(atPath: python.path) else {
            throw BenchError("there is no browser to measure the page in: Tests/Page/run installs what it takes")
        }
        guard program("chromium") ?? program("chromium-browser") != nil else {
            throw BenchError("Chromium is not installed: apt-get install --no-install-recommends chromium")
        }
        return python
    }

    /// Where a program is in the search path; nil for nowhere.
    private static func program(_ name: String) -> URL? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
