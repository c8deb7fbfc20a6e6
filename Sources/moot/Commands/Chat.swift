import ArgumentParser
import LocalAPIClient
import LocalAPIModel
import UnixSignals

/// `moot chat`
struct Chat: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Chat in a conversation, on the whole terminal.",
        discussion: "What is written comes as it is written. /help tells the rest, Ctrl-C ends it.")

    @Argument(help: "The conversation.", completion: .conversation)
    var conversation: String

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if common.json { throw ValidationError("--json goes with moot read, moot watch and moot send.") }
    }

    func run(asking node: LocalClient, printing output: Output) async throws {
        let id = try await node.conversation(conversation).id
        if let signal = try await ChatSession(node: node, conversation: id).run() {
            // As a shell reports a program that a signal ended.
            throw ExitCode(128 + signal.rawValue)
        }
    }
}
