import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot people block`
struct PeopleBlock: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "block", abstract: "Hear a person no more.",
        discussion: """
            The direct conversation with the person is not listed, and what he writes in groups is folded: it neither notifies nor \
            counts as unread. He is not told, and stays a member where he is one. `moot people unblock` shows everything again.
            """)

    @Argument(help: "The person.")
    var person: String

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let person = try await node.setBlocked(true, of: person)
        try output.changed(person, "\(TerminalText.line(person.name)) is blocked.")
    }
}

/// `moot people unblock`
struct PeopleUnblock: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblock", abstract: "Hear a person again, and what he said meanwhile.")

    @Argument(help: "The person.")
    var person: String

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let person = try await node.setBlocked(false, of: person)
        try output.changed(person, "\(TerminalText.line(person.name)) is not blocked any more.")
    }
}
