import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot leave`
struct Leave: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Leave a group.",
        discussion: "The last admin names a successor, or leaves it to the oldest member with --force.")

    @Argument(help: "The group.")
    var conversation: String

    @Option(help: "Who becomes admin.")
    var successor: String?

    @Flag(help: "Leave although no admin remains.")
    var force = false

    @Flag(help: "Archive the group if only one member remains.")
    var archive = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if successor != nil, force {
            throw ValidationError("--successor and --force exclude each other.")
        }
    }

    func run(asking node: LocalClient, printing output: Output) async throws {
        let left = try await ArchiveQuestion(isAllowed: archive, mayAsk: common.mayAsk).settle {
            archive async throws(LocalClientError) in
            try await node.leave(conversation, successor: successor, force: force, archive: archive)
        }
        try output.changed(left, "You left \(TerminalText.line(left.title)).")
    }
}
