import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot people block`
struct PeopleBlock: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "block", abstract: "Block a person, to hide what they write.",
        discussion: """
            `moot list` leaves out your direct conversation with them. What they write in groups is folded: it neither notifies nor \
            counts as unread. They are not told, and stay in the groups you share. `moot people unblock` shows everything again.
            """)

    @Argument(help: "The person.", completion: .person)
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
        commandName: "unblock", abstract: "Unblock a person, and show what they wrote meanwhile.")

    @Argument(help: "The person.", completion: .person)
    var person: String

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let person = try await node.setBlocked(false, of: person)
        try output.changed(person, "\(TerminalText.line(person.name)) is not blocked any more.")
    }
}
