import ArgumentParser
import LocalAPIClient

/// A command that asks the running node.
protocol NodeCommand: AsyncParsableCommand {
    var common: CommonOptions { get }

    /// Asks the node and prints the answer.
    func run(asking node: LocalClient, printing output: Output) async throws
}

extension NodeCommand {
    func run() async throws {
        let client = common.client
        try await common.reporting { output in
            try await run(asking: client, printing: output)
        }
    }
}
