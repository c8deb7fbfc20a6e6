import Foundation

/// How soon the program answers after it was started, and how much memory is its own then.
///
/// Private memory is what the process alone has written. Resident memory also counts code, which the kernel takes back
/// when it needs room.
struct StartUp: Codable {
    var emptyMilliseconds: Double
    var fullMilliseconds: Double
    var idlePrivateMegabytes: Double
    var fullPrivateMegabytes: Double

    static func measure(program: String, empty: URL, full: URL) throws -> StartUp {
        _ = try start(program, home: empty)
        let first = try (0..<5).map { _ in try start(program, home: empty) }
        let second = try (0..<5).map { _ in try start(program, home: full) }
        return StartUp(
            emptyMilliseconds: Statistics(first.map(\.milliseconds)).median,
            fullMilliseconds: Statistics(second.map(\.milliseconds)).median,
            idlePrivateMegabytes: Statistics(first.map(\.privateMegabytes)).median,
            fullPrivateMegabytes: Statistics(second.map(\.privateMegabytes)).median)
    }

    private struct Sample {
        var milliseconds: Double
        var privateMegabytes: Double
    }

    private static func start(_ program: String, home: URL) throws -> Sample {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [
            "up", "--home", home.path, "--listen", "127.0.0.1:0", "--no-discovery", "--web", "off", "--json",
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let clock = ContinuousClock()
        let begin = clock.now
        try process.run()
        defer {
            process.terminate()
            process.waitUntilExit()
        }
        guard !output.fileHandleForReading.availableData.isEmpty else { throw BenchError("\(program) does not start") }
        let elapsed = begin.duration(to: clock.now)
        Thread.sleep(forTimeInterval: 1)
        let memory = try String(contentsOfFile: "/proc/\(process.processIdentifier)/smaps_rollup", encoding: .utf8)
        func kilobytes(_ field: String) -> Double {
            let line = memory.split(separator: "\n").first { $0.hasPrefix(field) }
            return line.flatMap { $0.split(whereSeparator: { " \t".contains($0) }).dropFirst().first }
                .flatMap { Double($0) } ?? 0
        }
        return Sample(
            milliseconds: elapsed.milliseconds,
            privateMegabytes: kilobytes("Private_Dirty:") / 1_024)
    }
}
