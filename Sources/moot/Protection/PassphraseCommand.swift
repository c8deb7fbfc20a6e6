import ArgumentParser

/// `moot passphrase`
struct PassphraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passphrase", abstract: "Guard the keys of a stopped node with a passphrase.",
        subcommands: [SetPassphrase.self, RemovePassphrase.self])
}

/// What the commands answer.
struct PassphraseDescription: Encodable {
    /// Whether a passphrase guards the keys now.
    var isSet: Bool
}
