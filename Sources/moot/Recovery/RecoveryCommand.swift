import ArgumentParser
import Cryptography
import KeyStore
import LocalAPIModel

/// `moot recovery`
struct RecoveryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recovery",
        abstract: "Show the code that makes you yourself again when all your devices are lost.",
        discussion: """
            Write it on paper, and keep it where you keep a passport. Whoever has it is you, and nothing takes it back. `moot recover` \
            takes it on an empty host. The code stays the same as long as you are the same person. The node may run.
            """)

    @Flag(name: .customLong("qr"), help: "Draw the code as a QR code, too: to be printed, not photographed.")
    var isDrawn = false

    @Flag(help: "Print it without asking, and where the output is no terminal, too.")
    var anyway = false

    @Option(
        help: ArgumentHelp("Where the passphrase of the home is; - for standard input.", valueName: "file"),
        completion: .file())
    var passphraseFile: String?

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.reporting { output in
            Hardening.apply()
            let home = common.folders.home
            guard anyway || Terminal.isTerminal(.output) else {
                throw Failure(
                    .invalidRequest, "The output is no terminal, and the code belongs on paper only",
                    hint: "Where it shall go there all the same: moot recovery --anyway")
            }
            let isProtected = try StoppedHome.needsPassphrase(home)
            let passphrase = try PassphraseInput(common).current(file: passphraseFile, isNeeded: isProtected)
            let code = try RecoveryCode(ofHome: home, passphrase: passphrase)
            if !isProtected { try confirm(output) }
            try show(code, output)
        }
    }

    /// Where no passphrase was asked for, at least the question is.
    private func confirm(_ output: Output) throws {
        output.warn(
            "The keys of this home have no passphrase: whoever can read its files can be you. Set one with: moot passphrase set"
        )
        guard !anyway else { return }
        guard common.mayAsk else {
            throw Failure(
                .invalidRequest, "There is nobody to ask whether the code shall be shown",
                hint: "Show it without asking with: moot recovery --anyway")
        }
        guard Question.isAnsweredYes("Show the code that is your identity on this screen?") else {
            throw Failure(.canceled, "The code was not shown")
        }
    }

    private func show(_ code: RecoveryCode, _ output: Output) throws {
        let text = code.groups.joined(separator: "-")
        let drawing =
            isDrawn
            ? try QRCodeDrawing.lines(of: text, onLightBackground: false, insteadOf: "moot recovery", output) : []
        try output.answer(RecoveryDescription(user: code.user, code: text)) {
            ["Recovery code of \(code.user.prefix(16))", ""] + Self.lines(of: code.groups) + [""] + drawing
        }
        output.say("Write it on paper, and compare each group. Whoever has it is you; nothing takes it back.")
        output.say("When all your devices are lost, on an empty host: moot recover")
    }

    /// Five groups a line, with the number of the first: an error of the pen is named by the number of its group.
    static func lines(of groups: [String]) -> [String] {
        stride(from: 0, to: groups.count, by: 5).map { start in
            let number = String(start + 1)
            return String(repeating: " ", count: 4 - number.count) + number + "  "
                + groups[start..<min(start + 5, groups.count)].joined(separator: "  ")
        }
    }
}

/// A recovery code, as JSON for programs.
struct RecoveryDescription: Encodable {
    /// The id of the user.
    let user: String
    /// The groups, with dashes between them.
    let code: String
}
