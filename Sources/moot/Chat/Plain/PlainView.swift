import LocalAPIModel

/// A chat as lines below each other, for terminals that cannot do more, and for people who have the screen read to
/// them.
///
/// It says what is new since it was last asked, and nothing twice.
struct PlainView {
    /// Rows that the client is to think of: more than there can be, so that everything loaded is on the screen.
    static let rows = 100_000
    /// The most messages that are said when a conversation is opened, besides those that are unread.
    private static let maximumBefore = 10
    /// The most lines of a list to choose from.
    private static let maximumRows = 50

    /// What was said of a message, by which is known whether it has changed.
    private struct Said: Equatable {
        let text: String
        let isDeleted: Bool
        let reactions: String?
        let files: [String]

        init(_ message: MessageDescription) {
            text = message.missingText ?? message.text
            isDeleted = message.deleted
            reactions = message.reactionLine
            files = message.files.map(\.line)
        }
    }

    private let output: Output
    private var shown: String?
    private var said: [String: Said] = [:]
    private var panel: [String] = []
    private var pickerTitle: String?
    /// Whether a list that was said had nothing in it, so that it is said again when it has.
    private var wasEmpty = false
    private var note = ""
    /// What is asked about a message.
    private var question: String?
    private var isLost = true

    init(output: Output) {
        self.output = output
    }

    /// What a command says is news after each line that is typed, also if it is the same again.
    mutating func forgetPanel() { panel = [] }

    /// The lines that say what is new.
    mutating func lines(for client: ChatClient) -> [String] {
        var lines = conversation(client.open)
        lines += picker(client.picker)
        let panel = client.picker?.panel ?? client.open?.panel ?? []
        if panel != self.panel { lines += panel }
        self.panel = panel
        let question = client.open?.selection.flatMap { $0.question == nil ? nil : $0.hint }
        if question != self.question, let question { lines.append(question) }
        self.question = question
        let note = client.picker == nil ? client.list.note : ""
        if note != self.note, !note.isEmpty { lines.append("* elsewhere: \(note)") }
        self.note = note
        if client.isConnected == isLost {
            isLost = !client.isConnected
            lines.append(isLost ? "* not connected to the node" : "* connected to the node")
        }
        return lines
    }

    private mutating func conversation(_ open: ChatState?) -> [String] {
        guard let open else { return [] }
        var lines: [String] = []
        let messages = open.transcript.messages
        if open.conversation.id != shown {
            shown = open.conversation.id
            said = [:]
            let members = TerminalText.count(open.conversation.memberCount, "member")
            lines.append("── \(TerminalText.line(open.conversation.title)), \(members); /help tells the commands ──")
            // A line that is typed takes its place.
            let draft = open.composer.draftText
            if !draft.isEmpty { lines.append("* you had begun: \(TerminalText.line(draft))") }
        }
        // Until what is unread is here, nothing is said, or what lies between would never be.
        guard !messages.isEmpty, open.sought == nil else { return lines }
        if said.isEmpty {
            // Of what is loaded only the end is news.
            let found = open.firstUnread.flatMap { id in messages.firstIndex { $0.id == id } }
            let unread = found ?? (open.firstUnread == nil ? messages.count : 0)
            for message in messages[..<max(0, unread - Self.maximumBefore)] { said[message.id] = Said(message) }
        }
        for message in messages {
            let now = Said(message)
            let before = said.updateValue(now, forKey: message.id)
            guard before != now else { continue }
            if before == nil, message.id == open.firstUnread { lines.append("── new messages ──") }
            lines.append((before == nil ? "" : "* changed: ") + message.line(output))
        }
        return lines
    }

    private mutating func picker(_ picker: Picker?) -> [String] {
        defer {
            pickerTitle = picker?.title
            wasEmpty = picker?.rows.isEmpty ?? false
        }
        guard let picker, picker.title != pickerTitle || (wasEmpty && !picker.rows.isEmpty) else { return [] }
        let rows = picker.rows.prefix(Self.maximumRows).enumerated().map { number, row in
            "\(number + 1). \(row.text)\(row.mark.isEmpty ? "" : "  (\(row.mark))")"
        }
        let more = picker.rows.count - rows.count
        return [picker.title] + (rows.isEmpty ? [picker.nothing] : rows)
            + (more > 0 ? ["and \(more) more: /go NAME"] : []) + [
                "The number of a line chooses it; an empty line goes back."
            ]
    }

    /// The keys that a line stands for.
    ///
    /// - Parameter isAsked: whether a question about a message is open, which the line answers.
    static func keys(for line: String, choosing: Bool, isAsked: Bool = false) -> [Key] {
        let text = line.filter { !$0.isNewline }
        if isAsked { return [text.isEmpty ? .escape : .text(text)] }
        // What a line before left, because it was refused, is not a part of this one.
        guard choosing else { return text.isEmpty ? [] : [.end, .deleteToStart, .text(text), .enter] }
        if let number = Int(text), (1...maximumRows).contains(number) { return [.conversation(number)] }
        return text.isEmpty ? [.escape] : [.end, .deleteToStart, .text(text), .enter]
    }
}
