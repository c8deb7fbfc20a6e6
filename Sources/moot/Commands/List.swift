import ArgumentParser
import LocalAPIClient
import LocalAPIModel

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

    @Flag(help: "The groups that wait for your `moot accept` or `moot decline`: you are invited, or were added.")
    var requests = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if archived, requests { throw ValidationError("--archived and --requests exclude each other.") }
    }

    func run(asking node: LocalClient, printing output: Output) async throws {
        if requests { return try await listRequests(asking: node, printing: output) }
        let conversations = try await node.conversations(matching: query, tag: tag, archived ? .archived : .current)
        try output.answer(conversations) {
            var table = Table("TITLE", "KIND", "MEMBERS", "UNREAD", "MARKS", "SYNC", "ID", "LAST")
            for conversation in conversations {
                table.add(
                    conversation.title, conversation.kind.rawValue, "\(conversation.memberCount)",
                    "\(conversation.unread)",
                    PrivateMarks.short(of: conversation), conversation.sync.rawValue,
                    String(conversation.id.prefix(12)),
                    Self.preview(of: conversation.lastMessage))
            }
            return table.lines(output)
        }
        if conversations.isEmpty { output.say(Self.nothing(isFiltered: query != nil || tag != nil, archived)) }
        let unread = conversations.map(\.unread).reduce(0, +)
        if unread > 0 { output.say("\(TerminalText.count(unread, "unread message")).") }
        let waiting = try await node.conversations(.requests).count
        if waiting > 0 {
            output.say("\(TerminalText.count(waiting, "request")) to be in a group: moot list --requests")
        }
    }

    private func listRequests(asking node: LocalClient, printing output: Output) async throws {
        let conversations = try await node.conversations(matching: query, tag: tag, .requests)
        try output.answer(conversations) {
            var table = Table("TITLE", "MEMBERS", "REQUEST", "ID")
            for conversation in conversations {
                table.add(
                    conversation.title, "\(conversation.memberCount)", Self.request(of: conversation),
                    String(conversation.id.prefix(12)))
            }
            return table.lines(output)
        }
        output.say(
            conversations.isEmpty ? "No group waits for your answer." : "Answer with moot accept or moot decline.")
    }

    /// Who wants the user in a group, for example "added by Alice".
    private static func request(of conversation: ConversationDescription) -> String {
        let adder = conversation.me.isMember ? conversation.me.addedBy : nil
        let people = adder.map { [$0] } ?? conversation.me.invitedBy
        let names = people.map { id in conversation.members.first { $0.user == id }?.name ?? String(id.prefix(16)) }
        return "\(adder == nil ? "invited" : "added") by \(names.joined(separator: ", "))"
    }

    private static func nothing(isFiltered: Bool, _ archived: Bool) -> String {
        if isFiltered { return "No conversation matches." }
        return archived ? "No conversation is archived." : "There are no conversations."
    }

    private static func preview(of message: MessageDescription?) -> String {
        guard let message else { return "" }
        guard message.kind != .system, let name = message.senderName else { return message.text }
        return "\(name): \(message.summary)"
    }
}
