import Foundation

/// The wall clock of a node, which a test sets while the node runs; see `Tests/Interposed/ShiftClock.c`.
struct WallClock: Sendable {
    static let decade = Duration.seconds(10 * 365 * 86_400)

    private let scratch: Scratch
    private let library: Interposed

    /// A clock that is right.
    init(_ library: Interposed) throws {
        self.library = library
        scratch = try Scratch()
        guard FileManager.default.createFile(atPath: file, contents: Data(count: 8)) else {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    /// Sets the clock to the right time and something more or less.
    func set(ahead: Duration) throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: file))
        defer { try? handle.close() }
        // In place: a program reads the bytes where they are.
        try handle.write(contentsOf: withUnsafeBytes(of: ahead.components.seconds) { Data($0) })
    }

    /// What gives a program this clock.
    var environment: [String: String] { library.environment.merging(["MOOT_CLOCK_FILE": file]) { $1 } }

    private var file: String { scratch.file("clock") }
}
