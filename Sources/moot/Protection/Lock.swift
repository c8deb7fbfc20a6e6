import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot lock`
struct Lock: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Stop the node, so that its keys leave memory.",
        discussion: "They must be behind a passphrase. The next `moot up` asks for it.")

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let locked = try await node.lock()
        try await EndingNode(process: locked.pid).waitUntilEnded(within: .seconds(10))
        try output.changed(locked, "The node has ended, and its keys have left memory.")
    }
}
