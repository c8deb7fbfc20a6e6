import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot devices add`
struct DevicesAdd: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Make another host a device of yours.",
        discussion: """
            The other host shows the code with `moot link`. It gets every conversation of yours, and may write as you. So both \
            hosts show six digits, and both ask.
            """)

    @Argument(help: "The code that the other host shows; \"-\" reads it from standard input.")
    var code: String

    @Option(help: "What to call it, which everybody can read who meets you; by default \"device\" with a number.")
    var name: String?

    @Flag(help: "Agree without asking: for programs.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let text = code == "-" ? String(decoding: try InputFile(nil).read(), as: UTF8.self) : code
        let link = try await node.beginDeviceLink(by: text.filter { !$0.isWhitespace })
        output.say("Both hosts show these digits: \(DeviceDigits.spaced(link.digits))")
        guard yes || Question.isAnsweredYes("Are they equal, and is the other host yours?") else {
            try await node.refuseDeviceLink(link.id)
            throw Failure(.canceled, "The other host is no device of yours", hint: "Nothing was given to it.")
        }
        output.say("Waiting for the other host to agree.")
        let device = try await node.agree(toDeviceLink: link.id, named: name)
        try output.changed(
            device,
            "\(TerminalText.line(device.name)) (\(device.id.prefix(16))) is a device of yours now. It gets your conversations once its node runs."
        )
    }
}
