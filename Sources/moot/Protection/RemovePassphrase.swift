import ArgumentParser
import KeyStore
import LocalAPIModel

/// `moot passphrase remove`
struct RemovePassphrase: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Take the passphrase away.",
        discussion: "Then whoever can read the files of the home can use its keys.")

    @Option(
        help: ArgumentHelp("Where the passphrase is; - for standard input.", valueName: "file"), completion: .file())
    var passphraseFile: String?

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.reporting { output in
            Hardening.apply()
            let home = try StoppedHome(common.folders.home)
            let current = try PassphraseInput(common).current(
                file: passphraseFile, isNeeded: try home.needsPassphrase)
            try home.removePassphrase(current: current)
            try output.changed(PassphraseDescription(isSet: false), "The keys have no passphrase any more.")
        }
    }
}
