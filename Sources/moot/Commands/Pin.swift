import ArgumentParser
import LocalAPIClient

/// `moot pin`
struct Pin: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Pin a message to its conversation; in a group, admins and moderators do.")

    @Argument(help: "The message: its id or the beginning of it, as `moot read --ids` shows it.")
    var message: String

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        try output.changed(try await node.pin(message), "The message is pinned.")
    }
}
