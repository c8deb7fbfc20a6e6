import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot read`
struct Read: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print messages, oldest first, in the order every replica shows them.")

    @Argument(help: "The conversation.", completion: .conversation)
    var conversation: String

    @Option(help: "The most messages to print; 50 unless told otherwise, with --unread all.")
    var limit: Int?

    @Option(help: ArgumentHelp("Only messages before this one.", valueName: "msg"))
    var before: String?

    @Option(help: ArgumentHelp("Only messages after this one.", valueName: "msg"))
    var since: String?

    @Flag(help: "Only messages of others that you have not read, the oldest first.")
    var unread = false

    @Flag(help: "Print the beginning of each message's id before it.")
    var ids = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard limit ?? 1 >= 1 else { throw ValidationError("--limit must be at least 1.") }
        guard before == nil || since == nil else {
            throw ValidationError("--before and --since exclude each other.")
        }
        guard before == nil || !unread else { throw ValidationError("--before and --unread exclude each other.") }
    }

    /// The most messages to print.
    private var maximum: Int { limit ?? (unread ? .max : 50) }

    func run(asking node: LocalClient, printing output: Output) async throws {
        let page = try await since == nil && !unread ? backward(node) : forward(node)
        try output.answer(page) {
            Self.lines(of: page.messages, today: LocalTime.today, output, withIDs: ids)
                + (page.gaps ?? []).map { output.faint("* \(TerminalText.line($0.text))") }
        }
        guard page.gaps?.contains(where: { $0.kind == .room }) == true,
            Self.accepts(try await node.conversation(conversation))
        else { return }
        let accepted = try await node.answerInvite(to: conversation, accepting: true)
        output.warn(
            "You have accepted \(TerminalText.line(accepted.title)) now: what is missing comes within half a minute.")
    }

    /// Whether to read a conversation is to accept it. Who is invited, or was added and is to be asked, has no rights
    /// there before they answer. A direct conversation has nobody else who could write there: it is accepted by marking
    /// it as read.
    static func accepts(_ conversation: ConversationDescription) -> Bool {
        conversation.kind == .group && conversation.me.isMember && conversation.me.may != RightsDescription()
    }

    /// The messages, with a line for each day that is not the one before, nor today at the beginning.
    static func lines(
        of messages: [MessageDescription], today: String?, _ output: Output, withIDs: Bool
    ) -> [String] {
        var shown = today
        return messages.flatMap { message -> [String] in
            let line = message.line(output, withID: withIDs)
            guard let day = LocalTime(message.sentAt)?.day, day != shown else { return [line] }
            shown = day
            return [output.faint("── \(day) ──"), line]
        }
    }

    /// The last messages before a point, joined from pages.
    private func backward(_ node: LocalClient) async throws -> MessagePage {
        var joined = try await node.messages(
            in: conversation, before: before, limit: min(maximum, LocalClient.maximumPage))
        var pages = [joined.messages]
        var count = joined.messages.count
        while count < maximum, let earlier = joined.earlier {
            let page = try await node.messages(
                in: conversation, before: earlier, limit: min(maximum - count, LocalClient.maximumPage))
            pages.append(page.messages)
            count += page.messages.count
            joined.earlier = page.earlier
        }
        joined.messages = pages.reversed().flatMap(\.self)
        return joined
    }

    /// The first messages after a point, joined from pages.
    private func forward(_ node: LocalClient) async throws -> MessagePage {
        var joined = try await node.messages(
            in: conversation, after: since, unread: unread, limit: min(maximum, LocalClient.maximumPage))
        while joined.messages.count < maximum, let later = joined.later {
            let page = try await node.messages(
                in: conversation, after: later, unread: unread,
                limit: min(maximum - joined.messages.count, LocalClient.maximumPage))
            joined.messages += page.messages
            joined.later = page.later
            joined.gaps = page.gaps
        }
        return joined
    }
}
