import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot add`
struct Add: NodeCommand {
    static let configuration = CommandConfiguration(abstract: "Add people to a group.")

    @Argument(help: "The group.", completion: .conversation)
    var conversation: String

    @Argument(help: "Whom to add.", completion: .person)
    var people: [String]

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let changed = try await node.add(people, to: conversation)
        try output.changed(
            changed, "\(TerminalText.line(changed.title)) now has \(TerminalText.count(changed.memberCount, "member"))."
        )
    }
}
