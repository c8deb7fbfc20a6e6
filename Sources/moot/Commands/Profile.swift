import ArgumentParser
import LocalAPI
import Node

/// `moot profile`
struct Profile: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Change how others see you.", subcommands: [Change.self])

    /// `moot profile set`
    struct Change: NodeCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Change your name.")

        @Option(help: "Your name, 1 to 50 characters.")
        var name: String

        @OptionGroup var common: CommonOptions

        func run(asking node: LocalClient, printing output: Output) async throws {
            let me = try await node.setProfile(name: name)
            try output.changed(me, "You are now \(TerminalText.line(me.name)).")
        }
    }
}
