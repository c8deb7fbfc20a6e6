import ArgumentParser
import LocalAPIClient

/// `moot cancel`
struct Cancel: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Take back a message of yours that nobody else has yet.",
        discussion: """
            Its text never leaves this host. The others see in its place that a message was deleted: only your node knows that nobody \
            had it. A message that somebody has, or that is on its way, can only be deleted. A message that has failed, because you were \
            removed before anybody received it, is dismissed: it is shown no more.
            """)

    @Argument(help: "The message: its id or the beginning of it, as `moot read --ids` shows it.")
    var message: String

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        try output.changed(try await node.cancel(message), "The message was canceled.")
    }
}
