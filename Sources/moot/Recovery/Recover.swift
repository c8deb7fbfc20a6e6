import ArgumentParser
import Cryptography
import KeyStore
import LocalAPIModel

/// `moot recover`
struct Recover: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Be yourself again on an empty host, with the code of moot recovery.",
        discussion: """
            Makes this host a new device of yours. It becomes one as soon as its node has met somebody who knows you: a member of a \
            conversation of yours, or another device of yours. Your lost devices stay yours until you take them out. The \
            folder of the node must not exist, or be empty.
            """)

    @OptionGroup var code: SecretCode

    @Flag(
        help: """
            Do not wait for anybody. Devices that you had and that nobody tells of lose their place until they meet this one.
            """)
    var now = false

    @Option(
        help: ArgumentHelp(
            "Where the passphrase is that shall guard the keys here; - for standard input. Without it they have none.",
            valueName: "file"), completion: .file())
    var passphraseFile: String?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if code.isOnStandardInput, passphraseFile == "-" {
            throw ValidationError("Only one of the code and the passphrase can come from standard input.")
        }
    }

    func run() async throws {
        try await common.reporting { output in
            Hardening.apply()
            let home = common.folders.home
            // Before anybody types 70 characters.
            try Home.requireOwn(home)
            guard !StoppedHome.isThere(home) else {
                throw Failure(
                    .homeInUse, "There is a home in \(home) already: this host is a device of somebody",
                    hint: "Recover into another folder with --home, or move that one away: nothing is overwritten.")
            }
            let code = try self.readCode(output)
            let passphrase = try passphraseFile.map { try PassphraseInput(common).existing(file: $0) }
            try RecoveredHome.make(in: home, of: code, passphrase: passphrase, beginsAtOnce: now)
            if passphrase == nil {
                output.warn("The keys here have no passphrase. Set one before you start, with: moot passphrase set")
            }
            try output.changed(
                RecoveredHomeDescription(user: code.user, home: home),
                "This host has your identity (\(code.user.prefix(16))). \(next(on: home))")
        }
    }

    private func next(on home: String) -> String {
        let start = "Start it with: moot up" + (common.home.map { " --home \(ShellWord.quoted($0))" } ?? "")
        guard !now else { return start }
        return start
            + "\nIt is a device of yours as soon as somebody is connected who knows you; moot status says whether. Conversations come back then. "
            + "What was written before can be read here only where another device of yours has its keys."
    }

    private func readCode(_ output: Output) throws -> RecoveryCode {
        if let given = try code.given() { return try Self.read(given) }
        output.say("The code has \(RecoveryCode.groupCount) groups. Ctrl-C ends this.")
        var typed = try SecretCode.ask("recovery code", for: "moot recover", common)
        while true {
            do throws(RecoveryCode.Misspelling) {
                return try RecoveryCode(typed)
            } catch {
                output.warn("\(error.sentence). Type it once more.")
            }
            typed = try SecretCode.ask("recovery code", for: "moot recover", common)
        }
    }

    private static func read(_ text: String) throws(Failure) -> RecoveryCode {
        do throws(RecoveryCode.Misspelling) {
            return try RecoveryCode(text)
        } catch {
            throw Failure(.codeInvalid, error.sentence, hint: "Compare it with the paper, group by group.")
        }
    }
}

/// A home that was made of a recovery code.
struct RecoveredHomeDescription: Hashable, Codable {
    /// The user's id.
    let user: String
    /// The folder.
    let home: String
}
