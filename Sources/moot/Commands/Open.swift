import ArgumentParser
import Conversations
import LocalAPIClient
import LocalAPIModel
import OperationLog
import UnixSignals

/// `moot open`
struct Open: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Open the page in a browser of this machine, or a conversation at a message.",
        discussion: """
            Prints an address for a browser and, on a desktop, opens it. Whoever follows it first within a minute is let in, until the \
            node stops or the session is ended. The node must have been started with --web.

            With the address of a conversation, as notifications have it, the conversation is shown: on the terminal as by `moot chat`, \
            on a desktop without a terminal in the browser, and else as lines.
            """)

    @Argument(help: "The address of a conversation: moot://conversation/ID, or moot://conversation/ID/MESSAGE.")
    var address: String?

    @Flag(name: .customLong("print"), help: "Only print the address.")
    var isOnlyPrinted = false

    @Flag(
        name: .customLong("browser"),
        help: "Show the conversation in the browser, if the node serves one, also where there is a terminal.")
    var isInBrowser = false

    @Flag(help: "Wait for Enter where nothing could be opened, in a window that would close with the reason.")
    var stay = false

    @Flag(help: "Print a bearer token for programs instead, good until the node stops.")
    var token = false

    @Flag(help: "List the browsers that are let in.")
    var sessions = false

    @Flag(help: "End every session, or the one that --session names: the browser is not let in any more.")
    var end = false

    @Option(help: ArgumentHelp("The session to end, as --sessions lists it.", valueName: "id"))
    var session: String?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        let wishes = [token, sessions, end, isOnlyPrinted || isInBrowser]
        guard wishes.count(where: { $0 }) <= 1 else {
            throw ValidationError("--token, --sessions and --end exclude each other, and what is about opening a page.")
        }
        guard session == nil || end else { throw ValidationError("--session goes with --end.") }
        if address != nil, token || sessions || end {
            throw ValidationError("--token, --sessions and --end go with no address of a conversation.")
        }
    }

    func run() async throws {
        do {
            try await common.reporting { output in try await run(asking: common.client, printing: output) }
        } catch {
            // Who ended a chat by a signal has seen all that they want to.
            if (error as? ExitCode).map({ $0.rawValue < 128 }) ?? false { waitUntilSeen() }
            throw error
        }
    }

    /// Leaves time to read what was printed, where the terminal ends with the command.
    private func waitUntilSeen() {
        guard stay, common.mayAsk else { return }
        _ = Question.answer(to: "Enter closes this window. ")
    }

    func run(asking node: LocalClient, printing output: Output) async throws {
        if token {
            let token = try await node.webToken()
            return try output.answer(token) { [token.token] }
        }
        if sessions { return try await BrowserSessions.list(of: node, output) }
        if end { return try await BrowserSessions.end(session, of: node, output) }
        guard let address else { return try await openPage(at: nil, asking: node, printing: output) }
        if address == Self.devices {
            return try await openPage(at: Self.devicesFragment, asking: node, printing: output)
        }
        guard let link = ConversationLink(address) else {
            throw Failure(
                .invalidRequest, "\"\(address.prefix(100))\" is no address of a conversation",
                hint: "One is moot://conversation/ID or moot://conversation/ID/MESSAGE, with ids of 64 digits.")
        }
        if isOnlyPrinted {
            return try await openPage(at: Self.fragment(of: link), asking: node, printing: output)
        }
        let hasTerminal = Terminal.isTerminal(.input) && Terminal.isTerminal(.output)
        if isInBrowser || !hasTerminal, !output.isJSON, Desktop.isThere,
            let secret = try await addressIfServed(by: node)
        {
            return try await openPage(at: Self.fragment(of: link), secret: secret, printing: output)
        }
        try await open(link, onTerminal: hasTerminal, asking: node, printing: output)
    }

    /// An address for a browser; nil where the node serves none.
    private func addressIfServed(by node: LocalClient) async throws(LocalClientError) -> WebAddressDescription? {
        do throws(LocalClientError) {
            return try await node.makeWebAddress()
        } catch {
            guard case .refused(let detail) = error, detail.code == "no_web" else { throw error }
            return nil
        }
    }

    private func openPage(
        at fragment: String?, asking node: LocalClient, printing output: Output
    ) async throws {
        let address = try await node.makeWebAddress()
        try await openPage(at: fragment, secret: address, printing: output)
    }

    /// Prints the address, and leads a browser there.
    private func openPage(
        at fragment: String?, secret: WebAddressDescription, printing output: Output
    ) async throws {
        var address = secret
        if let fragment { address.address += fragment }
        try output.answer(address) { [address.address] }
        guard !isOnlyPrinted, Desktop.isThere else { return }
        switch await Desktop.open(secret: address.address, by: common.folders.runtime) {
        case .opened: return
        case .noPage: output.say("No page for the browser could be written; follow the address yourself.")
        case .noBrowser: output.say("No browser could be started; follow the address yourself.")
        }
        waitUntilSeen()
    }

    /// Where a notification of a new device leads, and where the page shows that.
    private static let devices = "moot://devices"
    private static let devicesFragment = "#/devices"

    /// Where the page shows a conversation, or a message of it.
    static func fragment(of link: ConversationLink) -> String {
        "#/conversation/\(link.conversation)" + (link.message.map { "/\($0)" } ?? "")
    }

    /// Shows a conversation at a message: on the whole terminal if there is one, else as lines.
    private func open(
        _ link: ConversationLink, onTerminal hasTerminal: Bool, asking node: LocalClient, printing output: Output
    ) async throws {
        let conversation = try await node.conversation(link.conversation.description)
        let page = try await node.messages(in: conversation.id, around: link.message?.description)
        guard !output.isJSON, hasTerminal else {
            return try output.answer(page) {
                [output.bold(TerminalText.line(conversation.title))] + page.messages.map { $0.line(output) }
            }
        }
        try await ChatSession(node: node, conversation: conversation.id, place: link.message?.description)
            .run(telling: output)
    }
}
