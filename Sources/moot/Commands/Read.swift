import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot read`
struct Read: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print messages, oldest first, in the order every replica shows them.")

    @Argument(help: "The conversation.")
    var conversation: String

    @Option(help: "The most messages to print.")
    var limit = 50

    @Option(help: ArgumentHelp("Only messages before this one.", valueName: "msg"))
    var before: String?

    @Option(help: ArgumentHelp("Only messages after this one.", valueName: "msg"))
    var since: String?

    @Flag(help: "Print the beginning of each message's id before it.")
    var ids = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard limit >= 1 else { throw ValidationError("--limit must be at least 1.") }
        guard before == nil || since == nil else {
            throw ValidationError("--before and --since exclude each other.")
        }
    }

    func run(asking node: LocalClient, printing output: Output) async throws {
        let page = try await since == nil ? backward(node) : forward(node)
        try output.answer(page) {
            page.messages.map { $0.line(output, withID: ids) }
                + (page.gaps ?? []).map { output.faint("* \(TerminalText.line($0.text))") }
        }
    }

    /// The last messages before a point, joined from pages.
    private func backward(_ node: LocalClient) async throws -> MessagePage {
        var joined = try await node.messages(
            in: conversation, before: before, limit: min(limit, LocalClient.maximumPage))
        var pages = [joined.messages]
        var count = joined.messages.count
        while count < limit, let earlier = joined.earlier {
            let page = try await node.messages(
                in: conversation, before: earlier, limit: min(limit - count, LocalClient.maximumPage))
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
            in: conversation, after: since, limit: min(limit, LocalClient.maximumPage))
        while joined.messages.count < limit, let later = joined.later {
            let page = try await node.messages(
                in: conversation, after: later, limit: min(limit - joined.messages.count, LocalClient.maximumPage))
            joined.messages += page.messages
            joined.later = page.later
            joined.gaps = page.gaps
        }
        return joined
    }
}
