import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot remove`
struct Remove: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Remove a person from a group.",
        discussion: "An admin who names themselves leaves the group, as with `moot leave`.")

    @Argument(help: "The group.", completion: .conversation)
    var conversation: String

    @Argument(help: "Whom to remove.", completion: .person)
    var person: String

    @Flag(help: "Archive the group if only one member remains.")
    var archive = false

    @Flag(help: "Remove the person without asking.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let mayAsk = common.mayAsk && !yes
        let target = try await node.person(person)
        let group = try await node.conversation(conversation)
        if target.isMe, [.admin, .founder].contains(group.me.role) {
            return try await leave(group, Leaving(node: node, output: output, mayAsk: mayAsk))
        }
        var archive = archive
        if mayAsk, let question = RemovalQuestion(removing: target, from: group) {
            guard Question.isAnsweredYes(question.text) else {
                output.say("\(TerminalText.line(target.name)) stays in \(TerminalText.line(group.title)).")
                throw ExitCode(ExitStatus.refused.rawValue)
            }
            archive = archive || question.archives
        }
        let changed = try await ArchiveQuestion(isAllowed: archive, mayAsk: mayAsk).ask {
            archive async throws(LocalClientError) in
            try await node.remove(target.user, from: group.id, archive: archive)
        }
        try output.changed(
            changed, "\(TerminalText.line(changed.title)) now has \(TerminalText.count(changed.memberCount, "member"))."
        )
    }

    private func leave(_ group: ConversationDescription, _ leaving: Leaving) async throws {
        do {
            try await leaving.leave(group.id, Departure(archive: archive))
        } catch LocalClientError.refused(var detail) where detail.code == ErrorCode.lastAdmin.rawValue {
            // This command has no option for it.
            let leave = "moot leave \(group.id.prefix(16))"
            detail.hint =
                "Choose a successor with: \(leave) --successor PERSON, or let the oldest member take over: \(leave) --force"
            throw LocalClientError.refused(detail)
        }
    }
}
