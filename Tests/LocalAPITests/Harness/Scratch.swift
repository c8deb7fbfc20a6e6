import Foundation

/// A folder of the test's own, short enough for the path of a Unix socket.
enum Scratch {
    static func with<Outcome>(_ work: (String) async throws -> Outcome) async throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory.appending(path: "moot-\(UInt32.random(in: 0 ... .max))")
            .path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        do {
            let outcome = try await work(folder)
            try FileManager.default.removeItem(atPath: folder)
            return outcome
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
    }
}
