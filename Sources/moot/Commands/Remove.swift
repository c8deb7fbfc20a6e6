import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot remove`
struct Remove: NodeCommand {
    static let configuration = CommandConfiguration(abstract: "Remove a person from a group.")

    @Argument(help: "The group.")
    var conversation: String

    @Argument(help: "Whom to remove.")
    var person: String

    @Flag(help: "Archive the group if only one member remains.")
    var archive = false

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let changed = try await ArchiveQuestion(isAllowed: archive, mayAsk: common.mayAsk).settle {
            archive async throws(LocalClientError) in
            try await node.remove(person, from: conversation, archive: archive)
        }
        try output.changed(
            changed, "\(TerminalText.line(changed.title)) now has \(TerminalText.count(changed.memberCount, "member"))."
        )
    }
}
