import ArgumentParser
import LocalAPI
import Node

/// `moot people block`
struct PeopleBlock: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "block", abstract: "Hear a person no more.",
        discussion: """
            The direct conversation with the person is not listed, and what they write in groups is folded: it neither notifies nor \
            counts as unread. They are not told, and stay a member where they are one. `moot people unblock` shows everything again.
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
        commandName: "unblock", abstract: "Hear a person again, and what they said meanwhile.")

    @Argument(help: "The person.")
    var person: String

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let person = try await node.setBlocked(false, of: person)
        try output.changed(person, "\(TerminalText.line(person.name)) is not blocked any more.")
    }
}
