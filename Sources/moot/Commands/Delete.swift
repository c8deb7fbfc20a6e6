import ArgumentParser
import LocalAPIClient

/// `moot delete`
struct Delete: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Delete a message for everybody: your own, or as a moderator somebody else's.",
        discussion: "It cannot be undone. People who read the message have read it.")

    @Argument(help: "The message: its id or the beginning of it, as `moot read --ids` shows it.")
    var message: String

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        try output.changed(try await node.delete(message), "The message was deleted.")
    }
}
