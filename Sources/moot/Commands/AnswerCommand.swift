import LocalAPIClient
import LocalAPIModel

/// A command that answers who wants the user in a group.
protocol AnswerCommand: NodeCommand {
    /// Whether the answer is yes.
    static var accepts: Bool { get }
    /// What was done, in words.
    static func sentence(about title: String) -> String

    var conversation: String { get }
}

extension AnswerCommand {
    func run(asking node: LocalClient, printing output: Output) async throws {
        let changed = try await node.answerInvite(to: conversation, accepting: Self.accepts)
        try output.changed(changed, Self.sentence(about: TerminalText.line(changed.title)))
    }
}
