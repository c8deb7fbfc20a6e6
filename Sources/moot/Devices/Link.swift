import ArgumentParser
import KeyStore
import LocalAPIModel
import Node

/// `moot link`
struct Link: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make this host another device of yours.",
        discussion: """
            Shows a code for ten minutes. On the host where your node runs, give it to `moot devices add`, or to the page, under \
            "Your devices". Both hosts then show the same six digits and ask; only then is anything given to this one. The folder of the node must not \
            exist, or be empty, or come from a backup of a device that did not hold your identity's key.
            """)

    @Option(
        help: ArgumentHelp("Where to listen for the other host; by default any free port.", valueName: "host:port"))
    var listen: String?

    @Flag(name: .customLong("qr"), help: "Draw the code as a QR code, too.")
    var isDrawn = false

    @Flag(help: "Agree without asking, whoever used the code: for programs.")
    var yes = false

    @Option(
        help: ArgumentHelp(
            "Where the passphrase is that shall guard the keys here; - for standard input. Without it they have none.",
            valueName: "file"), completion: .file())
    var passphraseFile: String?

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.reporting { output in
            Hardening.apply()
            let home = common.folders.home
            try Home.requireOwn(home)
            guard !StoppedHome.isThere(home) || StoppedHome.awaitsLink(home) else {
                throw Failure(
                    .invalidOperation, "There is a home in \(home) already: this host is a device of somebody",
                    hint: "Choose another folder with --home, or move that one away.")
            }
            let passphrase = try PassphraseInput(common).current(
                file: passphraseFile, isNeeded: try StoppedHome.needsPassphrase(home))
            let device = NewDevice()
            let code = try await device.listen(at: listen)
            show(code, output)
            let meeting = try await device.meet()
            guard isAgreed(meeting, output) else {
                await device.refuse()
                throw Failure(.canceled, "This host is nobody's device", hint: "Run 'moot link' once more.")
            }
            output.say("Waiting for the other host to agree.")
            let holdsRoot = try await device.settle(in: home, passphrase: passphrase)
            let option = common.home.map { " --home \(ShellWord.quoted($0))" } ?? ""
            try output.changed(
                LinkedHomeDescription(user: meeting.user, name: meeting.name, home: home, holdsRoot: holdsRoot),
                "This host is a device of \(TerminalText.line(meeting.name)) now. Start it with: moot up\(option)"
                    + (holdsRoot ? "\nIt holds the key of your identity, too: moot recovery shows it for paper." : ""))
        }
    }

    private func show(_ code: String, _ output: Output) {
        output.say("On the host where your node runs, type within ten minutes: moot devices add")
        output.say("It asks for this code, and so does the page, under \"Your devices\":")
        output.say("  \(code)")
        guard isDrawn else { return }
        do throws(Failure) {
            let lines = try QRCodeDrawing.lines(
                of: code, onLightBackground: false, insteadOf: "moot link", output)
            for line in lines { output.say(line) }
        } catch {
            output.warn("\(error.detail.message), so there is only the text.")
        }
    }

    private func isAgreed(_ meeting: NewDevice.Meeting, _ output: Output) -> Bool {
        output.say(
            "\(TerminalText.line(meeting.name)) (\(meeting.user.prefix(16))) wants to make this host a device of theirs."
        )
        output.say("Both hosts show these digits: \(DeviceDigits.spaced(meeting.digits))")
        return yes || Question.isAnsweredYes("Is that you, and are the digits equal?")
    }
}
