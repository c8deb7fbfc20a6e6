import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot set`
struct SetSetting: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change a setting of a group.")

    @Argument(help: "The group.", completion: .conversation)
    var conversation: String

    @Argument(help: "The setting.")
    var key: String

    @Argument(help: "Its new value.")
    var value: String

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let changed = try await node.change(conversation, settings: [key: value])
        try output.changed(
            changed,
            "In \(TerminalText.line(changed.title)), \(TerminalText.line(key)) is now \(TerminalText.line(value)).")
    }
}
