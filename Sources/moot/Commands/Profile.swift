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
            commandName: "set", abstract: "Change your name, or whether others learn what you read.")

        @Option(help: "Your name, 1 to 50 characters.")
        var name: String?

        @Option(
            help: ArgumentHelp(
                "Whether others learn what you read. Switched off, you do not see what they read either.",
                valueName: "on|off"))
        var receipts: OnOff?

        @OptionGroup var common: CommonOptions

        func validate() throws {
            guard name != nil || receipts != nil else { throw ValidationError("Say what to change.") }
        }

        func run(asking node: LocalClient, printing output: Output) async throws {
            let me = try await node.setProfile(name: name, receipts: receipts.map { $0 == .on })
            let reading =
                me.receipts
                ? "Others learn what you read." : "Others do not learn what you read, and you not what they read."
            let sentences = [
                name == nil ? nil : "You are now \(TerminalText.line(me.name)).", receipts == nil ? nil : reading,
            ]
            try output.changed(me, sentences.compactMap(\.self).joined(separator: " "))
        }
    }
}
