import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot devices list`
struct DevicesList: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List your devices, and those that you took out.")

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let devices = try await node.devices()
        try output.answer(devices) { DeviceTable.lines(devices, output) }
    }
}
