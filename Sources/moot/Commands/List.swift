import ArgumentParser
import LocalAPI
import Node

/// `moot list`
struct List: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the conversations: those you pinned, then the latest activity first.")

    @Argument(help: "Only those whose name or people match.")
    var query: String?

    @Option(help: ArgumentHelp("Only those with this tag of yours.", valueName: "tag"))
    var tag: String?

    @Flag(help: "Those that are archived instead of those that are not.")
    var archived = false

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let conversations = try await node.conversations(matching: query, tag: tag, archived: archived)
        try output.answer(conversations) {
            var table = Table("TITLE", "KIND", "MEMBERS", "UNREAD", "MARKS", "SYNC", "ID", "LAST")
            for conversation in conversations {
                table.add(
                    conversation.title, conversation.kind, "\(conversation.memberCount)", "\(conversation.unread)",
                    PrivateMarks.short(of: conversation), conversation.sync, String(conversation.id.prefix(12)),
                    Self.preview(of: conversation.lastMessage))
            }
            return table.lines(output)
        }
        if conversations.isEmpty { output.say(Self.nothing(isFiltered: query != nil || tag != nil, archived)) }
        let unread = conversations.map(\.unread).reduce(0, +)
        if unread > 0 { output.say("\(TerminalText.count(unread, "unread message")).") }
    }

    private static func nothing(isFiltered: Bool, _ archived: Bool) -> String {
        if isFiltered { return "No conversation matches." }
        return archived ? "No conversation is archived." : "There are no conversations."
    }

    private static func preview(of message: MessageDescription?) -> String {
        guard let message else { return "" }
        guard message.kind != "system", let name = message.senderName else { return message.text }
        return "\(name): \(message.missingText ?? message.text)"
    }
}
