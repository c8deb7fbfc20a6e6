import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot direct`
struct Direct: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Open the direct conversation with a person and print its id.",
        discussion: """
            The person hears of it with your first message. With "me" it is your notes to yourself, which only your own \
            devices have.
            """)

    @Argument(help: "The person.", completion: .person)
    var person: String

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let conversation = try await node.openDirect(with: person)
        try output.answer(conversation) { [conversation.id] }
    }
}
