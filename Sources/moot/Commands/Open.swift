import ArgumentParser
import Conversations
import Glibc
import LocalAPIClient
import LocalAPIModel
import OperationLog
import UnixSignals

/// `moot open`
struct Open: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Open a conversation at a message, or the node in a browser of this machine.",
        discussion: """
            With the address of a conversation, as notifications have it, it is shown on the terminal as by `moot chat`, or printed \
            where there is none. Otherwise prints an address for a browser and, on a desktop, opens it. Whoever follows it first \
            within a minute is let in, until the node stops; then it is worth nothing. The node must have been started with --web.
            """)

    @Argument(help: "The address of a conversation: moot://conversation/ID, or moot://conversation/ID/MESSAGE.")
    var address: String?

    @Flag(name: .customLong("print"), help: "Only print the address.")
    var isOnlyPrinted = false

    @Flag(help: "Print a bearer token for programs instead, good until the node stops.")
    var token = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if token, isOnlyPrinted { throw ValidationError("--token and --print exclude each other.") }
        if address != nil, token || isOnlyPrinted {
            throw ValidationError("--token and --print are about browsers, and go with no address of a conversation.")
        }
    }

    func run(asking node: LocalClient, printing output: Output) async throws {
        if let address {
            guard let link = ConversationLink(address) else {
                throw Failure(
                    .invalidRequest, "\"\(address.prefix(100))\" is no address of a conversation",
                    hint: "One is moot://conversation/ID or moot://conversation/ID/MESSAGE, with ids of 64 digits.")
            }
            return try await open(link, asking: node, printing: output)
        }
        guard !token else {
            let token = try await node.webToken()
            return try output.answer(token) { [token.token] }
        }
        let address = try await node.makeWebAddress()
        try output.answer(address) { [address.address] }
        guard !isOnlyPrinted, Self.hasDesktop else { return }
        // Others of this machine see the arguments of every process, and whoever follows the address first is let in.
        guard let page = BrowserPage(leadingTo: address.address, in: common.folders.runtime) else {
            return output.say("No page for the browser could be written; follow the address yourself.")
        }
        defer { page.remove() }
        guard Self.open("file://" + page.path) else {
            return output.say("No browser could be started; follow the address yourself.")
        }
        await page.waitUntilRead()
    }

    /// Shows a conversation at a message: on the whole terminal if there is one, else as lines.
    private func open(_ link: ConversationLink, asking node: LocalClient, printing output: Output) async throws {
        let conversation = try await node.conversation(link.conversation.description)
        let page = try await node.messages(in: conversation.id, around: link.message?.description)
        guard !output.isJSON, Terminal.isTerminal(.input), Terminal.isTerminal(.output) else {
            return try output.answer(page) {
                [output.bold(TerminalText.line(conversation.title))] + page.messages.map { $0.line(output) }
            }
        }
        let session = ChatSession(node: node, conversation: conversation.id, place: link.message?.description)
        if let signal = try await session.run() { throw ExitCode(128 + signal.rawValue) }
    }

    /// Whether a browser would have somewhere to show its window.
    private static var hasDesktop: Bool {
        let variables: [String] = ["DISPLAY", "WAYLAND_DISPLAY"]
        return variables.contains { name in getenv(name).map { $0.pointee != 0 } ?? false }
    }

    /// Hands the address to the desktop, whose program finds the browser; what they say is not ours to print.
    private static func open(_ address: String) -> Bool {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for stream: Terminal.Stream in [.input, .output, .error] {
            posix_spawn_file_actions_addopen(&actions, stream.rawValue, "/dev/null", O_RDWR, 0)
        }
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(address), nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        guard posix_spawnp(&process, "xdg-open", &actions, nil, &arguments, environ) == 0 else { return false }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return false }
        }
        return status == 0
    }
}
