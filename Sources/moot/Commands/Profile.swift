import ArgumentParser
import LocalAPI
import Node

/// `moot profile`
struct Profile: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Change how others see you, and what they can do with you.", subcommands: [Change.self])

    /// `moot profile set`
    struct Change: NodeCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Change your name, whether others learn what you read, or whether you are asked when added.")

        @Option(help: "Your name, 1 to 50 characters.")
        var name: String?

        @Option(
            help: ArgumentHelp(
                "Whether others learn what you read. Switched off, you do not see what they read either.",
                valueName: "on|off"))
        var receipts: OnOff?

        @Option(
            help: ArgumentHelp(
                "Whether a group that others add you to waits until you accept it. They do not learn of it.",
                valueName: "on|off"))
        var askWhenAdded: OnOff?

        @OptionGroup var common: CommonOptions

        func validate() throws {
            guard name != nil || receipts != nil || askWhenAdded != nil else {
                throw ValidationError("Say what to change.")
            }
        }

        func run(asking node: LocalClient, printing output: Output) async throws {
            let me = try await node.setProfile(
                name: name, receipts: receipts.map { $0 == .on }, asksWhenAdded: askWhenAdded.map { $0 == .on })
            let reading =
                me.receipts
                ? "Others learn what you read." : "Others do not learn what you read, and you not what they read."
            let adding =
                me.asksWhenAdded
                ? "A group that others add you to waits until you accept it: see 'moot list --requests'."
                : "A group that others add you to is yours at once."
            let sentences = [
                name == nil ? nil : "You are now \(TerminalText.line(me.name)).", receipts == nil ? nil : reading,
                askWhenAdded == nil ? nil : adding,
            ]
            try output.changed(me, sentences.compactMap(\.self).joined(separator: " "))
        }
    }
}
