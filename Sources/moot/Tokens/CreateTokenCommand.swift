import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot token create`
struct CreateTokenCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a token, and print it this once.",
        discussion: """
            Whoever has it can do everything that you can, until you revoke it; with --read-only they can read everything, and \
            change nothing.
            """)

    @Option(help: ArgumentHelp("What you call it: letters, digits, dots, dashes and underscores.", valueName: "name"))
    var name: String

    @Flag(help: "It can only look, and follow events.")
    var readOnly = false

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let made = try await node.createToken(named: name, readOnly: readOnly)
        try output.answer(made) { [made.token] }
        output.say("Nobody can print it again. It ends with: moot token revoke \(made.name)")
    }
}
