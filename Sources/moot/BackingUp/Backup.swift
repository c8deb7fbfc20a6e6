import ArgumentParser
import Cryptography
import Glibc
import KeyStore
import LocalAPIClient
import LocalAPIModel
import Node

/// `moot backup`
struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write your keys, conversations and files to one file, sealed under a passphrase.",
        discussion: """
            The node may run and goes on meanwhile. A backup with the same name is replaced once the new one is whole. \
            Keep it on another disk. Without its passphrase nobody can open it, not even you. `moot restore` makes a \
            home of it again.
            """)

    @Argument(help: "The backup.", completion: .file())
    var file: String

    @Flag(help: "Write nothing; read the backup to its end and say what is in it.")
    var verify = false

    @Option(help: ArgumentHelp("Where its passphrase is; - for standard input.", valueName: "file"))
    var passphraseFile: String?

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.reporting { output in
            Hardening.apply()
            let passphrases = PassphraseInput(common)
            if verify {
                let passphrase = try passphrases.existing(file: passphraseFile)
                var bar = BackupProgress("verifying", on: output)
                let contents = try HomeBackup.verify(file, under: passphrase) { bar.show($0, of: $1) }
                return try output.answer(BackupDescription(file, contents)) { Self.lines(about: contents) }
            }
            try OwnPath.require(file)
            let passphrase = try passphrases.new(file: passphraseFile, option: "--passphrase-file")
            var bar = BackupProgress("writing", on: output)
            let contents = try await write(under: passphrase) { bar.show($0, of: $1) }
            try output.changed(
                BackupDescription(file, contents),
                "\(TerminalText.line(file)) has \(Self.amount(of: contents)). Read it once with: moot backup --verify \(ShellWord.quoted(file))"
            )
        }
    }

    /// Backs up the home of the node that runs, or of one that is stopped.
    private func write(
        under passphrase: Passphrase, progress: (Int, Int) -> Void
    ) async throws -> BackupContents {
        let home = common.folders.home
        let copy = try await DatabaseCopy.make(in: home, asking: common.client)
        // No node can start as long as this is held.
        let stopped = copy == nil ? try StoppedHome(home) : nil
        return try withExtendedLifetime((copy, stopped)) {
            try HomeBackup.write(
                home, database: copy?.path, to: file, under: passphrase, program: Node.version, progress: progress)
        }
    }

    static func lines(about contents: BackupContents) -> [String] {
        [
            "made       \(BackupDescription.time(of: contents)) on \(TerminalText.line(contents.host))",
            "program    Moot \(TerminalText.line(contents.program))",
            "contains   \(amount(of: contents))",
            "The backup is whole.",
        ]
    }

    static func amount(of contents: BackupContents) -> String {
        "\(TerminalText.count(contents.files, "file")), \(TerminalText.size(contents.bytes))"
    }
}
