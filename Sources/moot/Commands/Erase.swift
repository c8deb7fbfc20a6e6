import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot erase`
struct Erase: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Erase a group that you left from this node's disk.",
        discussion: """
            Its messages, its files and your draft go within seconds, for good, and it is listed no more. Other \
            members' nodes keep what they have. What stays is who signed what when, and who was made a member: without it \
            your node would forget that you left. Added again, you see what is written from then on.
            """)

    @Argument(help: "The group.", completion: .conversation)
    var conversation: String

    @Flag(help: "Erase without being asked.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let found = try await node.conversation(conversation)
        if !yes, !found.me.isMember, found.kind == .group { try confirm(found, printing: output) }
        let erased = try await node.erase(found.id)
        try output.changed(
            erased, "\(TerminalText.line(erased.title)) is erased; the last of it goes from the disk within seconds.")
    }

    private func confirm(_ conversation: ConversationDescription, printing output: Output) throws {
        let title = TerminalText.line(conversation.title)
        guard common.mayAsk else {
            throw Failure(
                .invalidRequest, "This erases \(title) from this node for good", hint: "Say --yes if that is wanted.")
        }
        if conversation.sync == .pending {
            output.say("Not all that you wrote there has left this node: erased here, it is lost.")
        }
        guard Question.isAnsweredYes("Erase \(title) from this node for good?") else {
            output.say("Nothing was erased.")
            throw ExitCode(ExitStatus.refused.rawValue)
        }
    }
}
