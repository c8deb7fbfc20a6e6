import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot typing`
struct Typing: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the others for three seconds that you are typing.",
        discussion:
            "For programs that write in your name: run it again while they do. `moot chat` does it by itself.")

    @Argument(help: "The conversation.", completion: .conversation)
    var conversation: String

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let typing = try await node.type(in: conversation)
        try output.answer(typing) { typing.text.map { [TerminalText.line($0)] } ?? [] }
    }
}
