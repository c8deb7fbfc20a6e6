import ArgumentParser
import LocalAPIClient

/// `moot edit`
struct Edit: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Change the text of a message of yours.",
        discussion: """
            Everybody sees that it was edited. People who read the old text have read it. A text may begin with a dash.
            """)

    @Argument(help: "The message: its id or the beginning of it, as `moot read --ids` shows it.")
    var message: String

    @Argument(help: "The new text; \"-\" reads it from standard input.")
    var text: String?

    @Option(name: .customLong("text"), help: ArgumentHelp("The new text, whatever it begins with.", valueName: "text"))
    var givenText: String?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        try TextSource.check(argument: text, option: givenText)
        if text == nil, givenText == nil { throw ValidationError("Missing expected argument '<text>'.") }
    }

    func run(asking node: LocalClient, printing output: Output) async throws {
        let text = try (TextSource(argument: text, option: givenText) ?? .standardInput).read()
        try output.changed(try await node.edit(message, to: text), "The message was edited.")
    }
}
