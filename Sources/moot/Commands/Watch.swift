import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot watch`
struct Watch: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print what happens as it happens, until the node stops or Ctrl-C.")

    @Argument(help: "Only this conversation.", completion: .conversation)
    var conversation: String?

    @Option(help: ArgumentHelp("Begin after this event, as far as the node still has it.", valueName: "event"))
    var since: UInt64?

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        var only: String?
        if let conversation { only = try await node.conversation(conversation).id }
        var titles = ConversationTitles(node: node)
        try await node.follow(
            since: since, onConnected: { output.say("Watching; Ctrl-C ends it.") },
            { event in
                guard only == nil || event.conversation == only || event.type == .resync else { return }
                guard !output.isJSON else { return try output.answer(event) { [] } }
                let place = only == nil ? await titles.title(of: event.conversation) : nil
                try output.answer(event) { lines(for: event, in: place, output) }
            })
        throw LocalClientError.notRunning(socketPath: node.socketPath)
    }

    private func lines(for event: NodeEvent, in place: String?, _ output: Output) -> [String] {
        let begin = place.map { output.faint("\(TerminalText.line($0)) ") } ?? ""
        if event.type == .messageChanged, let message = event.message {
            let change = [event.text, message.preview].compactMap(\.self).joined(separator: ": ")
            return [begin + "* " + TerminalText.line(change)]
        }
        if let message = event.message { return [message.line(output, in: begin)] }
        guard event.type != .resync else {
            return ["* Some events are no longer known; `moot read` shows all messages."]
        }
        guard let text = event.text else { return [] }
        return [begin + "* " + TerminalText.line(text)]
    }
}

/// The titles of conversations, asked for when first needed.
private struct ConversationTitles {
    let node: LocalClient
    private var known: [String: String] = [:]

    init(node: LocalClient) {
        self.node = node
    }

    mutating func title(of conversation: String?) async -> String? {
        guard let conversation else { return nil }
        if let title = known[conversation] { return title }
        // Gone again, or not to be had now: the event is shown without it.
        guard let title = try? await node.conversation(conversation).title else { return nil }
        known[conversation] = title
        return title
    }
}
