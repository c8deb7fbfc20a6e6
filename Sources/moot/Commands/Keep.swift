import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot keep`
struct Keep: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show or choose for how long this node keeps the messages of a conversation.",
        discussion: """
            What is older is erased from this node's disk, with the keys that nothing needs any more. Other members' \
            nodes keep what their users chose. Who was a member and who wrote when stays known.
            """)

    @Argument(help: "The conversation.", completion: .conversation)
    var conversation: String

    @Argument(help: "So many days, or \"forever\"; without it, what is chosen now is shown.")
    var time: Choice?

    @Flag(help: "Erase messages that are older already, without asking.")
    var yes = false

    @OptionGroup var common: CommonOptions

    /// How long.
    enum Choice: ExpressibleByArgument, Hashable {
        case days(Int)
        case forever

        init?(argument: String) {
            if argument == "forever" {
                self = .forever
            } else if let days = Int(argument) {
                self = .days(days)
            } else {
                return nil
            }
        }
    }

    func validate() throws {
        guard case .days(let days) = time else { return }
        let range = APILimits.retentionDays
        guard range.contains(days) else {
            throw ValidationError(
                "Messages can be kept for \(range.lowerBound) to \(range.upperBound) days, or \"forever\".")
        }
    }

    func run(asking node: LocalClient, printing output: Output) async throws {
        guard let time else {
            let conversation = try await node.conversation(conversation)
            return try output.answer(conversation) { [Self.sentence(conversation)] }
        }
        var days: Int?
        if case .days(let chosen) = time { days = chosen }
        try await confirm(days, of: conversation, asking: node, printing: output)
        let changed = try await node.keep(conversation, days: days)
        try output.changed(changed, Self.sentence(changed))
    }

    /// Asks before anything is erased.
    private func confirm(
        _ days: Int?, of conversation: String, asking node: LocalClient, printing output: Output
    ) async throws {
        guard let days, !yes else { return }
        let found = try await node.conversation(conversation)
        guard found.keepDays.map({ days < $0 }) ?? true else { return }
        let title = TerminalText.line(found.title)
        guard common.mayAsk else {
            throw Failure(
                .invalidRequest, "This erases messages of \(title) that are older than \(Self.text(days))",
                hint: "Say --yes if that is wanted.")
        }
        guard
            Question.isAnsweredYes("Erase messages of \(title) older than \(Self.text(days)) from this node for good?")
        else {
            output.say("Nothing was erased; \(title) is kept as before.")
            throw ExitCode(ExitStatus.refused.rawValue)
        }
    }

    private static func sentence(_ conversation: ConversationDescription) -> String {
        let title = TerminalText.line(conversation.title)
        guard let days = conversation.keepDays else { return "This node keeps the messages of \(title) forever." }
        return "This node keeps the messages of \(title) for \(text(days))."
    }

    private static func text(_ days: Int) -> String { TerminalText.count(days, "day") }
}
