import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot devices retire`
struct DevicesRetire: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "retire", abstract: "Take a device out that is lost, replaced or not wanted any more.",
        discussion: """
            Everything that it wrote counts on. From now on nothing is sealed for it, and nobody talks to it who knows. It keeps \
            what it had. Nothing brings it back: to use that host again, link it once more. Where a \
            passphrase guards the keys here, you are asked for it every time.
            """)

    @Argument(help: "The device: its name, or the beginning of its id.")
    var device: String

    @Flag(help: "Take it out without asking: for programs.")
    var yes = false

    @OptionGroup var owner: OwnersPassphrase

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let passphrase = try owner.read(common)
        guard yes || Question.isAnsweredYes("Take \(TerminalText.line(device)) out for good?") else {
            throw Failure(.canceled, "The device is still one of yours", hint: nil)
        }
        let device = try await node.retireDevice(device, passphrase: passphrase)
        try output.changed(
            device, "\(TerminalText.line(device.name)) (\(device.id.prefix(16))) is none of your devices any more.")
    }
}
