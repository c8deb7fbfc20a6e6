import ArgumentParser
import Conversations
import LocalAPIClient
import LocalAPIModel

/// `moot search`
struct Search: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find messages by their words, the newest first.",
        discussion: "All the words must be there; of the last one the beginning is enough.")

    @Argument(help: "The words.")
    var words: [String]

    @Option(
        name: .customLong("in"), help: ArgumentHelp("Only in this conversation.", valueName: "conversation"),
        completion: .conversation)
    var conversation: String?

    @Option(help: "The most messages to print, up to 100.")
    var limit = 20

    @Option(help: ArgumentHelp("Only what came before this message.", valueName: "msg"))
    var before: String?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard words.joined(separator: " ").utf8.count <= APILimits.maximumSearchLength else {
            throw ValidationError("That is too much to search for: at most \(APILimits.maximumSearchLength) bytes.")
        }
    }

    func run(asking node: LocalClient, printing output: Output) async throws {
        let query = words.joined(separator: " ")
        let page = try await node.search(query, in: conversation, before: before, limit: limit)
        try output.answer(page) { page.hits.map { $0.line(output) } }
        if page.hits.isEmpty {
            output.say("Nothing found.")
        } else if let earlier = page.earlier {
            output.say("There is more: repeat the command with --before \(earlier)")
        }
    }
}

extension SearchHit {
    /// For example `2026-11-21 12:03 Family Group, Alice: … the ferry leaves at nine … (5a6bf28a)`.
    fileprivate func line(_ output: Output) -> String {
        let time = LocalTime(message.sentAt).map { "\($0.day) \($0.clock)" } ?? "-"
        let place = "\(TerminalText.line(title)), \(TerminalText.line(message.senderName ?? OwnWord.unknown.rawValue))"
        return "\(time) \(output.bold(place)): \(TerminalText.line(excerpt)) "
            + output.faint("(\(message.id.prefix(8)))")
    }
}
