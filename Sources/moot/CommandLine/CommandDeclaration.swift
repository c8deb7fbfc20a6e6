import ArgumentParser
import Foundation

/// A command as the program declares it: its name, what it takes, and the commands below it.
///
/// Read from what the argument parser says about the commands for other programs, so that no second list of them can
/// grow old.
struct CommandDeclaration: Decodable {
    /// An operand, an option or a flag.
    struct Argument: Decodable {
        enum Kind: String, Decodable {
            case positional, option, flag
        }

        struct Name: Decodable {
            enum Kind: String, Decodable {
                case long, short, longWithSingleDash
            }

            let kind: Kind
            let name: String

            /// As it is typed.
            var typed: String { (kind == .long ? "--" : "-") + name }
        }

        let kind: Kind
        let names: [Name]?
        let valueName: String?
        let isRepeating: Bool
    }

    private struct Tool: Decodable {
        let command: CommandDeclaration
    }

    let commandName: String
    let defaultSubcommand: String?
    private let subcommands: [CommandDeclaration]?
    private let arguments: [Argument]?

    /// Reads what a command declares.
    ///
    /// - Throws: `DecodingError` where the parser describes commands in another form than this.
    init(of command: (some ParsableCommand).Type) throws {
        self = try JSONDecoder().decode(Tool.self, from: Data(command._dumpHelp().utf8)).command
    }

    /// The commands below it.
    var commands: [CommandDeclaration] { subcommands ?? [] }

    /// What it takes, in the order of the operands.
    var takes: [Argument] { arguments ?? [] }

    /// The command below it of a name.
    func command(named name: String) -> CommandDeclaration? { commands.first { $0.commandName == name } }

    /// The command that is meant where none below it is named: itself if there are none.
    var meantAlone: CommandDeclaration { defaultSubcommand.flatMap(command(named:)) ?? self }

    /// What an argument such as `--limit` or `--limit=5` names; nil where it is no option of the command.
    func option(_ argument: String) -> Argument? {
        let name = argument.prefix { $0 != "=" }
        return takes.first { $0.names?.contains { $0.typed == name } == true }
    }

    /// The same of the command or of one below it.
    func optionAnywhere(_ argument: String) -> Argument? {
        option(argument) ?? commands.lazy.compactMap { $0.optionAnywhere(argument) }.first
    }
}
