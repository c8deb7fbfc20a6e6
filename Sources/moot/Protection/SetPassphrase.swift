import ArgumentParser
import KeyStore
import LocalAPIModel

/// `moot passphrase set`
struct SetPassphrase: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set or change the passphrase that protects the keys.",
        discussion: "Without it nobody can open the keys again. Only copies of the home made from now on are guarded.")

    @Option(
        help: ArgumentHelp("Where the passphrase of now is, if there is one; - for standard input.", valueName: "file"),
        completion: .file())
    var passphraseFile: String?

    @Option(help: ArgumentHelp("Where the new one is; - for standard input.", valueName: "file"), completion: .file())
    var newPassphraseFile: String?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if passphraseFile == "-", newPassphraseFile == "-" {
            throw ValidationError("Only one passphrase can come from standard input.")
        }
    }

    func run() async throws {
        try await common.reporting { output in
            Hardening.apply()
            let home = try StoppedHome(common.folders.home)
            let input = PassphraseInput(common)
            let current = try input.current(file: passphraseFile, isNeeded: try home.needsPassphrase)
            let new = try input.new(file: newPassphraseFile)
            try home.setPassphrase(new, current: current)
            try output.changed(
                PassphraseDescription(isSet: true),
                "The keys are behind the passphrase. Nobody can open them without it.")
        }
    }
}
