import ArgumentParser
import Cryptography
import KeyStore
import LocalAPIModel

/// The passphrase for what only the owner of the identity may do, though the node runs: it is asked for every time.
struct OwnersPassphrase: ParsableArguments {
    @Option(
        help: ArgumentHelp("Where the passphrase of the home is; - for standard input.", valueName: "file"),
        completion: .file())
    var passphraseFile: String?

    /// The passphrase as the local API takes it; nil where none guards the home, or nobody can be asked.
    ///
    /// Nobody is asked for anything where another device holds the key of the identity.
    func read(_ common: CommonOptions) throws -> String? {
        Hardening.apply()
        try StoppedHome.requireRoot(common.folders.home)
        let passphrase = try PassphraseInput(common).current(
            file: passphraseFile, isNeeded: try StoppedHome.needsPassphrase(common.folders.home))
        guard let passphrase else { return nil }
        guard let text = passphrase.withUnsafeBytes({ String(validating: $0, as: UTF8.self) }) else {
            throw Failure(
                .invalidRequest, "The passphrase is not UTF-8, so a running node cannot be told it",
                hint: "Set another one while the node is stopped, with: moot passphrase set")
        }
        return text
    }
}
