import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot promote`
struct Promote: NodeCommand {
    /// What a member can be promoted to.
    enum Role: String, ExpressibleByArgument, CaseIterable {
        case moderator
        case admin
    }

    static let configuration = CommandConfiguration(abstract: "Make a member an admin or a moderator.")

    @Argument(help: "The group.", completion: .conversation)
    var conversation: String

    @Argument(help: "The member.", completion: .person)
    var person: String

    @Option(help: "The new role.")
    var to: Role = .admin

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let changed = try await node.setRole(of: person, in: conversation, to: to.rawValue)
        try output.changed(
            changed, "In \(TerminalText.line(changed.title)), \(TerminalText.line(person)) is now \(to.rawValue).")
    }
}
