import ArgumentParser
import LocalAPI
import Node

/// `moot list`
struct List: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the conversations, the latest activity first.")

    @Argument(help: "Only those whose name or people match.")
    var query: String?

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let conversations = try await node.conversations(matching: query)
        try output.answer(conversations) {
            var table = Table("TITLE", "KIND", "MEMBERS", "UNREAD", "SYNC", "ID", "LAST")
            for conversation in conversations {
                table.add(
                    conversation.archived ? "\(conversation.title) (archived)" : conversation.title,
                    conversation.kind, "\(conversation.memberCount)", "\(conversation.unread)", conversation.sync,
                    String(conversation.id.prefix(12)), Self.preview(of: conversation.lastMessage))
            }
            return table.lines(output)
        }
        if conversations.isEmpty { output.say("There are no conversations.") }
    }

    private static func preview(of message: MessageDescription?) -> String {
        guard let message else { return "" }
        guard message.kind != "system", let name = message.senderName else { return message.text }
        return "\(name): \(message.missingText ?? message.text)"
    }
}
