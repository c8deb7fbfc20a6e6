import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot describe`
struct Describe: NodeCommand {
    static let configuration = CommandConfiguration(abstract: "Change a group's description.")

    @Argument(help: "The group.", completion: .conversation)
    var conversation: String

    @Argument(help: "What it is about; \"\" for nothing.")
    var text: String

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let changed = try await node.change(conversation, description: text)
        try output.changed(changed, "You changed the description of \(TerminalText.line(changed.title)).")
    }
}
