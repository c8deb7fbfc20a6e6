import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot token revoke`
struct RevokeToken: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "End a token at once; who shows it is not let in any more.")

    @Argument(help: "The name of the token.")
    var name: String

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let token = try await node.revokeToken(name)
        try output.changed(token, "The token \(TerminalText.line(token.name)) is revoked.")
    }
}
