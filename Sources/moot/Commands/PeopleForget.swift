import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot people forget`
struct PeopleForget: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Forget a person with whom you are in no group any more.",
        discussion: """
            For people who do not come back, such as somebody whose node was set up anew. A direct conversation with them is \
            archived. In what they wrote they are called Unknown, until your node meets them again.
            """)

    @Argument(help: "The person.", completion: .person)
    var person: String

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let person = try await node.forgetPerson(person)
        try output.changed(person, "\(TerminalText.line(person.name)) (\(person.user.prefix(16))) is forgotten.")
    }
}
