import Cryptography
import Glibc
import LocalAPIModel

/// Where passphrases come from: a file, standard input, or a person at the terminal. They go into guarded memory at
/// once.
struct PassphraseInput {
    let mayAsk: Bool
    let output: Output

    init(_ common: CommonOptions) {
        mayAsk = common.mayAsk
        output = common.output
    }

    /// The passphrase that guards the keys now.
    ///
    /// - Parameters:
    ///   - file: Where it is; "-" is standard input.
    ///   - isNeeded: Whether to ask for it if no file is named.
    /// - Returns: nil where there is neither a file nor somebody to ask.
    func current(file: String?, isNeeded: Bool) throws(Failure) -> Passphrase? {
        if let file { return try read(file) }
        guard isNeeded, mayAsk else { return nil }
        return try ask("Passphrase: ")
    }

    /// The passphrase of something that cannot be read without one.
    ///
    /// - Throws: `passphrase_needed` where there is neither a file nor somebody to ask.
    func existing(file: String?) throws(Failure) -> Passphrase {
        if let passphrase = try current(file: file, isNeeded: true) { return passphrase }
        throw Failure(
            .passphraseNeeded, "There is nobody to ask for the passphrase",
            hint: "Give it with --passphrase-file FILE, or - for standard input.")
    }

    /// Where a service manager put the passphrase, the credential `passphrase` (systemd.exec(5)); nil where it put
    /// none.
    static func credential(_ environment: [String: String]) -> String? {
        guard let folder = environment["CREDENTIALS_DIRECTORY"], folder.hasPrefix("/") else { return nil }
        let file = folder + "/passphrase"
        return access(file, F_OK) == 0 ? file : nil
    }

    /// A passphrase to be, which a person types twice.
    ///
    /// - Parameter option: what names the file on the command line.
    func new(file: String?, option: String = "--new-passphrase-file") throws(Failure) -> Passphrase {
        if let file { return try read(file) }
        guard mayAsk else {
            throw Failure(
                .passphraseNeeded, "There is nobody to ask for the new passphrase",
                hint: "Give it with \(option) FILE, or - for standard input.")
        }
        let passphrase = try ask("New passphrase: ")
        guard passphrase.isSame(as: try ask("Again: ")) else {
            throw Failure(.invalidRequest, "The two passphrases differ", hint: "Nothing was changed; try again.")
        }
        return passphrase
    }

    private func read(_ path: String) throws(Failure) -> Passphrase {
        let file = try InputFile(path)
        if file.isReadableByOthers {
            output.say("Others can read \(TerminalText.line(path)): chmod 600 keeps them from it.")
        }
        return try Self.checked(Passphrase { room throws(Failure) in try file.readLine(into: room) })
    }

    private func ask(_ question: String) throws(Failure) -> Passphrase {
        let givenUp = Failure(.passphraseNeeded, "No passphrase was given")
        return try Self.checked(
            Passphrase { room throws(Failure) in
                try HiddenInput.read(question: question, into: room, otherwise: givenUp)
            })
    }

    private static func checked(_ passphrase: Passphrase?) throws(Failure) -> Passphrase {
        guard let passphrase else {
            throw Failure(.invalidRequest, "A passphrase is one line of 1 to \(Passphrase.maximumBytes) bytes")
        }
        return passphrase
    }
}
