import Foundation

/// Where a node runs: this machine, or one of the hosts of a ``PrivateNetwork``.
struct Host: Sendable {
    /// What stands before a command so that it runs there.
    let entering: [String]

    static let thisMachine = Host(entering: [])

    /// Runs a command to its end.
    func run(_ arguments: [String], environment: [String: String] = [:], input: String? = nil) async throws
        -> Program.Outcome
    {
        let scratch = try Scratch()
        if let input { try Data(input.utf8).write(to: URL(filePath: scratch.file("in"))) }
        let program = try Program(
            entering + arguments, environment: environment, input: input.map { _ in scratch.file("in") },
            output: scratch.file("out"), errors: scratch.file("err"))
        return await program.ended()
    }
}
