import ArgumentParser
import KeyStore
import LocalAPIModel

/// `moot restore`
struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a home of a backup.",
        discussion: """
            The folder of the node must not exist, or be empty: nothing is overwritten. The restored home is a new device of yours, and takes \
            the place of the old one. With your identity's key in the backup it reads at once, and writes as soon as somebody is connected who knows \
            you. Without it, `moot link` makes it a device.
            """)

    @Argument(help: "The backup.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("Where its passphrase is; - for standard input.", valueName: "file"))
    var passphraseFile: String?

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.reporting { output in
            Hardening.apply()
            let home = common.folders.home
            try Home.requireOwn(home)
            let passphrase = try PassphraseInput(common).existing(file: passphraseFile)
            var bar = BackupProgress("restoring", on: output)
            let contents = try HomeBackup.restore(file, to: home, under: passphrase) { bar.show($0, of: $1) }
            let option = common.home.map { " --home \(ShellWord.quoted($0))" } ?? ""
            let next =
                StoppedHome.holdsRoot(home)
                ? "It is a new device of yours. Start it with: moot up\(option)"
                : "Your identity's key is not in it. Make this host a device of yours with: moot link\(option)"
            try output.changed(
                BackupDescription(file, contents),
                "\(TerminalText.line(home)) is as it was on \(BackupDescription.time(of: contents)). \(next)"
            )
        }
    }
}
