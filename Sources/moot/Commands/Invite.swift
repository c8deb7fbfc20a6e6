import ArgumentParser
import LocalAPI
import Node

/// `moot invite`
struct Invite: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Invite a person to a group, who may accept or decline.",
        discussion: "To make somebody a member without asking, use `moot add`.")

    @Argument(help: "The group.")
    var conversation: String

    @Argument(help: "Whom to invite.")
    var person: String

    @Flag(help: "Take the invite back.")
    var cancel = false

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let title: String
        if cancel {
            let changed = try await node.cancelInvite(of: person, to: conversation)
            title = TerminalText.line(changed.title)
            try output.changed(changed, "\(TerminalText.line(person)) is not invited to \(title) any more.")
        } else {
            let changed = try await node.invite(person, to: conversation)
            title = TerminalText.line(changed.title)
            try output.changed(changed, "\(TerminalText.line(person)) is invited to \(title).")
        }
    }
}

/// `moot accept`
struct Accept: NodeCommand {
    static let configuration = CommandConfiguration(abstract: "Accept the invite to a group.")

    @Argument(help: "The group.")
    var conversation: String

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let changed = try await node.answerInvite(to: conversation, accepting: true)
        try output.changed(changed, "You are a member of \(TerminalText.line(changed.title)).")
    }
}

/// `moot decline`
struct Decline: NodeCommand {
    static let configuration = CommandConfiguration(abstract: "Decline the invite to a group.")

    @Argument(help: "The group.")
    var conversation: String

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let changed = try await node.answerInvite(to: conversation, accepting: false)
        try output.changed(changed, "You declined the invite to \(TerminalText.line(changed.title)).")
    }
}
