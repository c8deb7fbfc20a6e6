import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot devices rename`
struct DevicesRename: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Give a device of yours another name.",
        discussion: """
            Everybody who meets you can read it. Only the device that certifies the others can change it. Where a passphrase guards \
            the keys here, you are asked for it every time.
            """)

    @Argument(help: "The device: its name, or the beginning of its id.")
    var device: String

    @Argument(help: "What to call it.")
    var name: String

    @OptionGroup var owner: OwnersPassphrase

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let device = try await node.renameDevice(device, to: name, passphrase: try owner.read(common))
        try output.changed(device, "Device \(device.id.prefix(16)) is called \(TerminalText.line(device.name)) now.")
    }
}
