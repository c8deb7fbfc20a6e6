import Foundation

/// How fast the page is in a browser, on a node with many messages, next to its goals.
///
/// `Tests/Page/speed.py` measures: a browser is driven from Python here. This starts it and takes its figures over, so that both tell the same.
struct PageSpeed: Codable {
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

    /// Conversations of the node.
    static let conversations = 100

    var messages: Int
    var figures: [Figure]

    /// Measures with a program's page.
    ///
    /// - Throws: ``BenchError`` that says what is missing: the sources, the environment of the page's tests, or Chromium.
    static func measure(messages: Int, program: String, cleanup: Cleanup) throws -> PageSpeed {
        let (script, python) = try tools()
        let process = Process()
        process.executableURL = python
        process.arguments = [
            script.path, "--json", "--moot", program, "--messages", String(messages), "--conversations",
            String(conversations),
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
            throw BenchError("the page was not measured: \(script.path) ended with \(process.terminationStatus)")
        }
        let decoder = JSONDecoder()
        return PageSpeed(messages: messages, figures: try lines.map { try decoder.decode(Figure.self, from: $0) })
    }

    /// The script, and the Python that has what it needs.
    private static func tools() throws -> (script: URL, python: URL) {
        let files = FileManager.default
        var folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        while folder.path != "/", !files.fileExists(atPath: folder.appendingPathComponent("Tests/Page/speed.py").path) {
            folder.deleteLastPathComponent()
        }
        let script = folder.appendingPathComponent("Tests/Page/speed.py")
        guard files.fileExists(atPath: script.path) else {
            throw BenchError("the page is measured by Tests/Page/speed.py, which is not next to this program")
        }
        let place =
            ProcessInfo.processInfo.environment["MOOT_PAGE_TOOLS"].map { URL(fileURLWithPath: $0) }
            ?? folder.appendingPathComponent(".build/page")
        let python = place.appendingPathComponent("environment/bin/python")
        guard files.isExecutableFile(atPath: python.path) else {
            throw BenchError("there is no browser to measure the page in: Tests/Page/run installs what it takes")
        }
        let search = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        guard
            ["chromium", "chromium-browser"].contains(where: { name in
                search.contains { files.isExecutableFile(atPath: "\($0)/\(name)") }
            })
        else {
            throw BenchError("Chromium is not installed: apt-get install --no-install-recommends chromium")
        }
        return (script, python)
    }
}
