import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot chat`
struct Chat: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Chat on the whole terminal: in a conversation, or in one that you choose from the list.",
        discussion: """
            What is written comes as it is written. Alt-Up and Alt-Down lead to the other conversations, Up on an empty line chooses \
            a message. /help tells the rest, Ctrl-C ends it. `moot` alone on a terminal does the same as `moot chat`.
            """)

    @Argument(help: "The conversation; without it, the list.", completion: .conversation)
    var conversation: String?

    @Flag(help: "Print lines below each other, for screen readers and simple terminals. So it is with TERM=dumb too.")
    var plain = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if common.json { throw ValidationError("--json goes with moot read, moot watch and moot send.") }
    }

    func run(asking node: LocalClient, printing output: Output) async throws {
        MemoryPools.limitPools()
        try await ChatSession(node: node, conversation: conversation, isPlain: plain || Terminal.isDumb)
            .run(telling: output)
    }
}
