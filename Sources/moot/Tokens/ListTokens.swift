import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot token list`, which is what `moot token` does.
struct ListTokens: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the tokens by name, without what opens the node.")

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let tokens = try await node.tokens()
        try output.answer(tokens) {
            var table = Table("NAME", "CAN", "SINCE")
            for token in tokens {
                table.add(
                    token.name, token.readOnly ? "look" : "do everything", LocalTime(token.createdAt)?.day ?? "-")
            }
            return table.lines(output)
        }
        if tokens.isEmpty { output.say("There is no token. Make one with: moot token create --name NAME") }
    }
}
