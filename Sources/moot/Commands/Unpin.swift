import ArgumentParser
import LocalAPIClient

/// `moot unpin`
struct Unpin: NodeCommand {
    static let configuration = CommandConfiguration(abstract: "Unpin a message.")

    @Argument(help: "The message: its id or the beginning of it, as `moot pins --ids` shows it.")
    var message: String

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        try output.changed(try await node.unpin(message), "The message is not pinned.")
    }
}
