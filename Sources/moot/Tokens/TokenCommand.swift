import ArgumentParser

/// `moot token`
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Let programs in by tokens that stay good when the node is restarted.",
        discussion: """
            They are for programs that use the port of `moot up --web`, such as Prometheus. On the Unix socket no token is needed. \
            The node keeps only a hash of each.
            """,
        subcommands: [CreateTokenCommand.self, ListTokens.self, RevokeToken.self], defaultSubcommand: ListTokens.self)
}
