import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot mark-read`
struct MarkRead: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "mark-read", abstract: "Mark everything in a conversation as read.")

    @Argument(help: "The conversation.", completion: .conversation)
    var conversation: String

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let read = try await node.markRead(conversation)
        try output.changed(read, "\(TerminalText.line(read.title)) is read.")
    }
}
