import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot pins`
struct Pins: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the messages that are pinned to a conversation, oldest first.")

    @Argument(help: "The conversation.", completion: .conversation)
    var conversation: String

    @Flag(help: "Print the beginning of each message's id before it.")
    var ids = false

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let pinned = try await node.pins(of: conversation)
        try output.answer(pinned) { pinned.map { $0.line(output, withID: ids) } }
        if pinned.isEmpty { output.say("Nothing is pinned.") }
    }
}
