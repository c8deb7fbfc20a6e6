import ArgumentParser
import LocalAPIClient

/// `moot membership why`
struct MembershipWhy: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Tell why a change is void, and what became of the roles that a person was given.",
        discussion: "Without a person it tells of every change that is void or came to less than was meant.")

    @Argument(help: "The group.", completion: .conversation)
    var conversation: String

    @Argument(help: "Only what concerns this person.", completion: .person)
    var person: String?

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let entries = try await node.membershipReasons(of: conversation, person: person)
        try output.answer(entries) { entries.map { $0.line(output) } }
        if entries.isEmpty { output.say("Every change took effect.") }
    }
}
