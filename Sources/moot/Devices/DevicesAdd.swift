import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot devices add`
struct DevicesAdd: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Make another host a device of yours.",
        discussion: """
            The other host shows the code with `moot link`. It gets every conversation of yours, and may write as you. So both \
            hosts show six digits, and both ask. Where a passphrase guards the keys here, you are asked for it every time.
            """)

    @OptionGroup var code: SecretCode

    @Option(help: "What to call it, which everybody can read who meets you; by default \"device\" with a number.")
    var name: String?

    @Flag(
        help: """
            Let it hold the key of your identity as well: then it can name you, add and take out devices, and you are not lost with this \
            host.
            """)
    var withRoot = false

    @OptionGroup var owner: OwnersPassphrase

    @Flag(help: "Agree without asking: for programs.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if code.isOnStandardInput, owner.passphraseFile == "-" {
            throw ValidationError("Only one of the code and the passphrase can come from standard input.")
        }
    }

    func run(asking node: LocalClient, printing output: Output) async throws {
        let text = try code.read("link code", for: "moot devices add", common)
        let link = try await node.beginDeviceLink(by: text, passphrase: try owner.read(common))
        output.say("Both hosts show these digits: \(DeviceDigits.spaced(link.digits))")
        guard yes || Question.isAnsweredYes("Are they equal, and is the other host yours?") else {
            try await node.refuseDeviceLink(link.id)
            throw Failure(
                .canceled, "The other host is no device of yours",
                hint: "Nothing was given to it. To try again, run 'moot link' there once more.")
        }
        output.say("Waiting for the other host to agree.")
        let device = try await node.agree(toDeviceLink: link.id, named: name, withRoot: withRoot)
        try output.changed(
            device,
            "\(TerminalText.line(device.name)) (\(device.id.prefix(16))) is a device of yours now. It gets your conversations once its node runs."
                + (withRoot ? " It holds the key of your identity, too." : "")
        )
    }
}
