import ArgumentParser
import LocalAPIClient

/// `moot edit`
struct Edit: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Change the text of a message of yours.",
        discussion: "Everybody sees that it was edited. People who read the old text have read it.")

    @Argument(help: "The message: its id or the beginning of it, as `moot read --ids` shows it.")
    var message: String

    @Argument(help: "The new text; \"-\" reads it from standard input.")
    var text: String

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let text = try text == "-" ? Send.wholeInput() : text
        try output.changed(try await node.edit(message, to: text), "The message was edited.")
    }
}
