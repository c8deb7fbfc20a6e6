import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot people add`
struct PeopleAdd: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Find a person whom discovery does not reach, by a contact code.",
        discussion: """
            The other person prints the code with `moot whoami --code` or shows it with `moot whoami --qr`. Whoever answers at \
            its addresses must prove to be the user in the code.
            """)

    @Argument(help: "The contact code; \"-\" reads it from standard input.")
    var code: String

    @Flag(help: "Mark the person as verified: you took the code from their own screen.")
    var scanned = false

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let text = code == "-" ? String(decoding: try InputFile(nil).read(), as: UTF8.self) : code
        var person = try await node.addPerson(contact: text.filter { !$0.isWhitespace })
        if scanned { person = try await node.setVerified(true, of: person.user) }
        let mark = person.verified ? "verified" : "not verified"
        try output.changed(
            person, "You are connected to \(TerminalText.line(person.name)) (\(person.user.prefix(16)), \(mark)).")
    }
}
