import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot remove`
struct Remove: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Remove a person from a group.",
        discussion: """
            An admin who names themselves leaves the group, as with `moot leave`. With --since what the person decided since then \
            does not count, nor what rests on that, and what they wrote since is marked as not counting. What that is, you see first. \
            The time is when it came to your node. What your node decided on top of it stays, so use this before you undo \
            anything by hand.
            """)

    @Argument(help: "The group.", completion: .conversation)
    var conversation: String

    @Argument(help: "Whom to remove.", completion: .person)
    var person: String

    @Option(
        help: ArgumentHelp(
            "Also take back what they did since then: 2h or 3d ago, 18:30, or 2026-11-21T18:30:00Z.", valueName: "time")
    )
    var since: String?

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
        let begin = since.map {
            WrittenTime.beginning(before: $0) ?? WrittenTime.last(clock: $0) ?? $0
        }
        var archive = archive
        if let begin {
            let losses = try await node.removalLosses(of: target.user, from: group.id, since: begin)
            output.say(losses.sentence(about: target.name))
            let question = "Remove \(TerminalText.line(target.name)), and take it back for good?"
            guard !mayAsk || Question.isAnsweredYes(question) else { throw Self.refused(target, group, output) }
        } else if mayAsk, let question = RemovalQuestion(removing: target, from: group) {
            guard Question.isAnsweredYes(question.text) else {
                throw Self.refused(target, group, output)
            }
            archive = archive || question.archives
        }
        let changed = try await ArchiveQuestion(isAllowed: archive, mayAsk: mayAsk).ask {
            archive async throws(LocalClientError) in
            try await node.remove(target.user, from: group.id, since: begin, archive: archive)
        }
        try output.changed(
            changed, "\(TerminalText.line(changed.title)) now has \(TerminalText.count(changed.memberCount, "member"))."
        )
    }

    private static func refused(
        _ target: PersonDescription, _ group: ConversationDescription, _ output: Output
    ) -> ExitCode {
        output.say("Nothing was changed in \(TerminalText.line(group.title)) about \(TerminalText.line(target.name)).")
        return ExitCode(ExitStatus.refused.rawValue)
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

extension RemovalLossesDescription {
    /// What is told of the losses before they are taken.
    func sentence(about name: String) -> String {
        func names(_ people: [PersonDescription]) -> String {
            let shown = people.prefix(10).map { TerminalText.line($0.name) }
            let rest = people.count - shown.count
            return (shown + (rest > 0 ? ["\(rest) more"] : [])).joined(separator: ", ")
        }
        var text =
            "\(TerminalText.count(decisions, "decision")) would not count, and \(TerminalText.count(messages, "message")) "
            + "or changes to messages of \(TerminalText.line(name)) would be marked as not counting."
        if !leaving.isEmpty { text += " No members any more: \(names(leaving))." }
        if !returning.isEmpty { text += " Members again: \(names(returning))." }
        if kept > 0 {
            text +=
                " \(TerminalText.count(kept, "decision")) would stay, because your node has decided on top of that since."
        }
        return text
    }
}
