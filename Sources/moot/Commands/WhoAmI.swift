import ArgumentParser
import LocalAPI
import Node

/// `moot whoami`
struct WhoAmI: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "whoami", abstract: "Show who the node's user is.")

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let me = try await node.profile()
        try output.answer(me) {
            [
                output.bold(TerminalText.line(me.name)),
                "user    \(me.user)",
                "device  \(me.device) (\(TerminalText.line(me.deviceName)))",
                "home    \(TerminalText.line(me.home))",
            ]
        }
    }
}
