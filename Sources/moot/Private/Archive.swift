import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot archive`
struct Archive: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Archive a conversation; it stays archived when messages come.",
        discussion: "`moot list --archived` shows what you archived. Nobody else notices.")

    @Argument(help: "The conversation.", completion: .conversation)
    var conversation: String

    @Flag(help: "Take it out of the archive.")
    var undo = false

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let changed = try await node.change(conversation, privately: PreferencesRequest(archived: !undo))
        try output.changed(
            changed, "\(TerminalText.line(changed.title)) is \(changed.archived ? "archived" : "in the list again").")
    }
}
