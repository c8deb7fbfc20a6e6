import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot demote`
struct Demote: NodeCommand {
    /// What a member can be demoted to.
    enum Role: String, ExpressibleByArgument, CaseIterable {
        case member
        case moderator
    }

    static let configuration = CommandConfiguration(abstract: "Take a role away from a member.")

    @Argument(help: "The group.", completion: .conversation)
    var conversation: String

    @Argument(help: "The member.", completion: .person)
    var person: String

    @Option(help: "The new role.")
    var to: Role = .member

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let changed = try await node.setRole(of: person, in: conversation, to: to.rawValue)
        try output.changed(
            changed, "In \(TerminalText.line(changed.title)), \(TerminalText.line(person)) is now \(to.rawValue).")
    }
}
