import ArgumentParser
import Node

/// The one program: it runs the node, and it talks to the one that runs.
@main
struct Moot: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "moot",
        abstract: "Group chat for a local network, without a server.",
        discussion: """
            Start your node with `moot up`; every other command talks to it. People and conversations are named by \
            id, unique beginning of an id, or unique name.
            """,
        version: Node.version,
        groupedSubcommands: [
            CommandGroup(
                name: "The node",
                subcommands: [
                    Up.self, Down.self, Status.self, Config.self, WhoAmI.self, Profile.self, People.self, Peers.self,
                    Doctor.self,
                    Verify.self,
                    Open.self,
                    TokenCommand.self, DevicesCommand.self, Link.self,
                ]),
            CommandGroup(
                name: "Its keys and backups",
                subcommands: [
                    PassphraseCommand.self, Lock.self, Backup.self, Restore.self, RecoveryCommand.self, Recover.self,
                    HomeCommand.self,
                ]),
            CommandGroup(
                name: "Conversations",
                subcommands: [
                    List.self, Info.self, Stats.self, Create.self, Direct.self, Rename.self, Describe.self,
                    PhotoCommand.self,
                    SetSetting.self,
                    Keep.self, Erase.self,
                ]),
            CommandGroup(
                name: "Only for you", subcommands: [Private.self, Mute.self, Archive.self, Draft.self]),
            CommandGroup(
                name: "Members",
                subcommands: [
                    Add.self, Invite.self, Join.self, Accept.self, Decline.self, Remove.self, Leave.self, Promote.self,
                    Demote.self, MembershipCommand.self,
                ]),
            CommandGroup(
                name: "Messages",
                subcommands: [
                    Chat.self, Send.self, Read.self, Watch.self, Typing.self, MarkRead.self, Search.self, React.self,
                    Edit.self, Cancel.self, Delete.self, Pin.self, Unpin.self, Pins.self, Files.self, Export.self,
                    Receipts.self,
                ]),
        ])

    static func main() async {
        do {
            let typed = Array(CommandLine.arguments.dropFirst())
            var command = try await meant(by: typed.isEmpty && isForPeople ? ["chat"] : typed)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            exit(withError: error)
        }
    }

    /// Whether somebody sits at a terminal that can show a chat: they see their conversations when they say nothing
    /// else.
    private static var isForPeople: Bool {
        Terminal.isTerminal(.input) && Terminal.isTerminal(.output) && !Terminal.isDumb
    }

    /// The command that arguments mean, ready to run.
    ///
    /// - Throws: what the parser throws for wrong usage and for a wish for help.
    static func meant(by arguments: [String]) async throws -> any ParsableCommand {
        // Else who asks for help with a misspelt command gets that of the program, and the exit status says that all is
        // well.
        if arguments.contains(where: ["help", "--help", "-h"].contains) { try checkNames(in: arguments) }
        do {
            let isAmbiguous = CommandLineText.isAmbiguous(arguments)
            let rewritten = isAmbiguous ? try CommandLineText(root: declaration).rewriting(arguments) : arguments
            return try await asyncParseAsRoot(rewritten)
        } catch let error as CommandLineText.UnknownOption {
            let option = ShellWord.quoted(error.argument)
            throw ValidationError(
                "There is no option \(option). What begins with a dash and is no option stands behind --.")
        } catch {
            try checkNames(in: arguments)
            throw error
        }
    }

    /// Refuses a command that there is not, and options before a command.
    private static func checkNames(in arguments: [String]) throws {
        guard let sentence = try CommandSuggestion(root: declaration).sentence(about: arguments) else { return }
        throw ValidationError(sentence)
    }

    private static var declaration: CommandDeclaration {
        get throws { try CommandDeclaration(of: Moot.self) }
    }
}
