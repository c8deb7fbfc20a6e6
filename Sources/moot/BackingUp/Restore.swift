import ArgumentParser
import KeyStore
import LocalAPIModel

/// `moot restore`
struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a home of a backup.",
        discussion: """
            The folder of the node must not exist, or be empty: nothing is overwritten. Make sure that the old home is \
            gone. The restored node reads at once, and writes as soon as other members have shown what the old one \
            wrote after the backup.
            """)

    @Argument(help: "The backup.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("Where its passphrase is; - for standard input.", valueName: "file"))
    var passphraseFile: String?

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.reporting { output in
            Hardening.apply()
            let passphrase = try PassphraseInput(common).existing(file: passphraseFile)
            var bar = BackupProgress("restoring", on: output)
            let home = common.folders.home
            let contents = try HomeBackup.restore(file, to: home, under: passphrase) { bar.show($0, of: $1) }
            let option = common.home.map { " --home \(ShellWord.quoted($0))" } ?? ""
            try output.changed(
                BackupDescription(file, contents),
                "\(TerminalText.line(home)) is as it was on \(BackupDescription.time(of: contents)). Start it with: moot up\(option)"
            )
        }
    }
}
