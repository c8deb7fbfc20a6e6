import Foundation

/// A library that stands between a node and the system, compiled from `Tests/Interposed` for the test that needs it.
struct Interposed: Sendable {
    private struct NotCompiled: Error, CustomStringConvertible {
        let description: String
    }

    private let scratch: Scratch
    private let library: String

    /// Compiles one of the libraries by the clang that comes with Swift.
    init(_ name: String) async throws {
        scratch = try Scratch()
        library = scratch.file("\(name).so")
        let source = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Interposed/\(name).c").standardizedFileURL.path
        let outcome = try await Host.thisMachine.run([
            "clang", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", library, source,
        ])
        guard outcome.status == 0 else { throw NotCompiled(description: outcome.errors) }
    }

    /// What loads the library into a program.
    var environment: [String: String] { ["LD_PRELOAD": library] }
}
