import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot private`
struct Private: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show or change what you keep for yourself about a conversation.",
        discussion: "Nobody else sees any of it. See also: moot mute, moot archive, moot draft.")

    @Argument(help: "The conversation.", completion: .conversation)
    var conversation: String

    @Flag(help: "Keep it first in the list.")
    var pin = false

    @Flag(help: "Let it take its place in the list again.")
    var unpin = false

    @Flag(help: "Put it away.")
    var archive = false

    @Flag(help: "Take it out of the archive.")
    var unarchive = false

    @Option(help: ArgumentHelp("A word to find it by. May be given again.", valueName: "tag"))
    var tag: [String] = []

    @Option(help: ArgumentHelp("A tag to take away. May be given again.", valueName: "tag"))
    var untag: [String] = []

    @Option(help: ArgumentHelp("A text to go on with later; - for standard input.", valueName: "text"))
    var draft: String?

    @Flag(help: "Forget the draft.")
    var noDraft = false

    @Option(
        help: ArgumentHelp(
            "Whether the others learn what you read here. Switched off, you do not see what they read either.",
            valueName: "on|off"))
    var receipts: OnOff?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard !(pin && unpin), !(archive && unarchive), draft == nil || !noDraft else {
            throw ValidationError("These two options contradict each other.")
        }
    }

    func run(asking node: LocalClient, printing output: Output) async throws {
        let wish = PreferencesRequest(
            pinned: pin ? true : unpin ? false : nil, archived: archive ? true : unarchive ? false : nil,
            addedTags: tag, removedTags: untag, draft: noDraft ? "" : try TextSource(argument: draft)?.read(),
            receipts: receipts.map { $0 == .on })
        let changed =
            wish == PreferencesRequest()
            ? try await node.conversation(conversation) : try await node.change(conversation, privately: wish)
        try output.answer(changed) { PrivateMarks.lines(of: changed) }
    }
}
