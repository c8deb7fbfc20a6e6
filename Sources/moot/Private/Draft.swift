import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot draft`
struct Draft: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show, keep or forget the text you began in a conversation.",
        discussion: "It is kept, sealed, until you change it: `moot send` leaves it as it is.")

    @Argument(help: "The conversation.", completion: .conversation)
    var conversation: String

    @Argument(help: "The text to keep; - for standard input. Without it the draft is shown.")
    var text: String?

    @Option(name: .customLong("text"), help: ArgumentHelp("The text, whatever it begins with.", valueName: "text"))
    var givenText: String?

    @Flag(help: "Forget the draft.")
    var clear = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        try TextSource.check(argument: text, option: givenText)
        guard text == nil && givenText == nil || !clear else { throw ValidationError("Give either a text or --clear.") }
    }

    func run(asking node: LocalClient, printing output: Output) async throws {
        guard let text = clear ? "" : try TextSource(argument: text, option: givenText)?.read() else {
            let found = try await node.conversation(conversation)
            try output.answer(found) { found.draft.map { [TerminalText.block($0, indentation: "")] } ?? [] }
            if found.draft == nil { output.say("There is no draft for \(TerminalText.line(found.title)).") }
            return
        }
        let changed = try await node.change(conversation, privately: PreferencesRequest(draft: text))
        let outcome = changed.draft == nil ? "The draft for" : "A draft is kept for"
        let end = changed.draft == nil ? " is forgotten." : "."
        try output.changed(changed, "\(outcome) \(TerminalText.line(changed.title))\(end)")
    }
}
