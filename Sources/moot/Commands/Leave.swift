import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot leave`
struct Leave: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Leave a group.",
        discussion: """
            At a terminal you are asked whether you are sure, and the last admin for a successor. A script names one with \
            --successor, or leaves it to the oldest member with --force.
            """)

    @Argument(help: "The group.", completion: .conversation)
    var conversation: String

    @Option(help: "Who becomes admin.", completion: .person)
    var successor: String?

    @Flag(help: "Leave although no admin remains.")
    var force = false

    @Flag(help: "Archive the group if only one member remains.")
    var archive = false

    @Flag(help: "Leave without being asked.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if successor != nil, force {
            throw ValidationError("--successor and --force exclude each other.")
        }
    }

    func run(asking node: LocalClient, printing output: Output) async throws {
        let departure = Departure(successor: successor, force: force, archive: archive)
        try await Leaving(node: node, output: output, mayAsk: common.mayAsk && !yes).leave(conversation, departure)
    }
}
