import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot devices list`
struct DevicesList: NodeCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List your devices.")

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let devices = try await node.devices()
        try output.answer(devices) {
            var table = Table("NAME", "PRESENCE", "ID")
            for device in devices {
                table.add(
                    device.name + (device.isThis ? " (this one)" : ""), device.online ? "online" : "offline",
                    String(device.id.prefix(16)))
            }
            return table.lines(output)
        }
    }
}
