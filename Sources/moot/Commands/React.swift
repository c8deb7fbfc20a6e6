import ArgumentParser
import LocalAPIClient

/// `moot react`
struct React: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "React to a message with an emoji, or remove the reaction.")

    @Argument(help: "The message: its id or the beginning of it, as `moot read --ids` shows it.")
    var message: String

    @Argument(help: "One emoji.")
    var emoji: String

    @Flag(help: "Remove the reaction.")
    var remove = false

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let changed = try await remove ? node.withdraw(emoji, from: message) : node.react(to: message, with: emoji)
        let sentence = changed.reactionLine.map { "The message has \($0)." } ?? "The message has no reactions."
        try output.changed(changed, sentence)
    }
}
