import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot rename`
struct Rename: NodeCommand {
    static let configuration = CommandConfiguration(abstract: "Change a group's name.")

    @Argument(help: "The group.", completion: .conversation)
    var conversation: String

    @Argument(help: "Its new name, 1 to 50 characters.")
    var name: String

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let changed = try await node.change(conversation, name: name)
        try output.changed(changed, "The group is now called \(TerminalText.line(changed.title)).")
    }
}
