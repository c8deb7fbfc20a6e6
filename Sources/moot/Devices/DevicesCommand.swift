import ArgumentParser

/// `moot devices`
struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "Your devices: several hosts that are all you.",
        subcommands: [DevicesList.self, DevicesAdd.self, DevicesRename.self, DevicesRetire.self],
        defaultSubcommand: DevicesList.self)
}
