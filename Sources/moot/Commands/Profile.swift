import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot profile`
struct Profile: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show, change or delete who you are to others, and what they can do with you.",
        subcommands: [Show.self, Change.self, ProfileDelete.self], defaultSubcommand: Show.self)

    /// `moot profile show`, which is what `moot profile` does.
    struct Show: NodeCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show how others see you, and what they can do with you.")

        @OptionGroup var common: CommonOptions

        func run(asking node: LocalClient, printing output: Output) async throws {
            let me = try await node.profile()
            try output.answer(me) { IdentityLines.lines(about: me, output) }
        }
    }

    /// `moot profile set`
    struct Change: NodeCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract:
                "Change your name, your photo, whether others learn what you read, or whether you are asked when added.",
            discussion: """
                A JPEG or PNG picture becomes the photo without anything else that is in its file, such as where it was taken, \
                and not larger than 2,048 pixels a side. Everybody whose node meets yours, or who is in a group with you, can see it.
                """)

        @Option(help: "Your name, 1 to 50 characters.")
        var name: String?

        @Option(help: ArgumentHelp("A picture to make your photo of.", valueName: "file"), completion: .file())
        var photo: String?

        @Flag(help: "Take your photo away.")
        var removePhoto = false

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
            guard name != nil || photo != nil || removePhoto || receipts != nil || askWhenAdded != nil else {
                throw ValidationError("Say what to change.")
            }
            if photo != nil, removePhoto { throw ValidationError("--photo and --remove-photo exclude each other.") }
        }

        func run(asking node: LocalClient, printing output: Output) async throws {
            var file: FileDescription?
            if let photo { file = try await FileToSend(photo).put(into: node, printing: output, asPart: true) }
            let me = try await node.setProfile(
                name: name, photo: removePhoto ? "" : file?.id, receipts: receipts.map { $0 == .on },
                asksWhenAdded: askWhenAdded.map { $0 == .on })
            let reading =
                me.receipts
                ? "Others learn what you read." : "Others do not learn what you read, and you not what they read."
            let adding =
                me.asksWhenAdded
                ? "A group that others add you to waits until you accept it: see 'moot list --requests'."
                : "A group that others add you to is yours at once."
            let sentences = [
                name == nil ? nil : "You are now \(TerminalText.line(me.name)).",
                photo == nil ? nil : "You changed your photo.", removePhoto ? "You have no photo now." : nil,
                receipts == nil ? nil : reading, askWhenAdded == nil ? nil : adding,
            ]
            try output.changed(me, sentences.compactMap(\.self).joined(separator: " "))
        }
    }
}
