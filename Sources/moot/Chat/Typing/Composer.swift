import Conversations
import LocalAPIModel

/// What is being written: the line that is typed, the message that it answers, and what the node keeps of it as a
/// draft.
struct Composer: Equatable, Sendable {
    /// A message that what is written is about.
    struct Target: Equatable, Sendable {
        let id: String
        /// Who said what, on one line.
        let line: String

        init(_ message: MessageDescription) {
            id = message.id
            line = TerminalText.line(
                "\(message.senderName ?? OwnWord.unknown.rawValue): \(message.missingText ?? message.text)")
        }
    }

    /// What the text will be, where that is more than a new message.
    enum Purpose: Equatable, Sendable {
        case answer(Target)
        /// The new text of an own message; afterwards the line is as it was before.
        case correction(Target, before: String)
    }

    private(set) var input = LineEditor()
    private(set) var purpose: Purpose?
    /// The message that `/reply` will answer. It was named by a number, which means another message as soon as one
    /// comes, or was chosen.
    private(set) var target: Target?
    /// The number by which it was named; nil for the one that was chosen.
    private var number: Int?
    /// The draft that the node has, as the line says it.
    private var kept: String

    /// Goes on with what was begun another time.
    init(draft: String?) {
        // A program may have kept anything.
        input.restoreText(ChatCommand.line(saying: TerminalText.block(draft ?? "", indentation: "")))
        kept = ChatCommand.draft(of: input.text)
    }

    /// Takes a key, which may name another message to answer.
    mutating func handle(
        _ key: Key, in transcript: Transcript, by me: String, selected: MessageDescription? = nil
    ) {
        _ = input.handle(key)
        aim(in: transcript, by: me, selected: selected)
    }

    /// Names the message that will be answered, unless it is named already: the one that is chosen, or one of somebody
    /// else by its number.
    mutating func aim(in transcript: Transcript, by me: String, selected: MessageDescription? = nil) {
        guard let number = ChatCommand.answered(by: input.text) else {
            target = nil
            return
        }
        if let selected, !ChatCommand.namesNumber(input.text) {
            (target, self.number) = (Target(selected), nil)
            return
        }
        // The one that was chosen stays, also when it is not loaded any more.
        if target != nil, self.number == nil, !ChatCommand.namesNumber(input.text) { return }
        guard target == nil || self.number != number else { return }
        target = nil
        // Looked at only here: most keys name nothing.
        let messages = transcript.messages(ofOthersThan: me)
        guard messages.count >= number else { return }
        (target, self.number) = (Target(messages[messages.count - number]), number)
    }

    /// Begins to write what is more than a new message.
    ///
    /// - Parameter text: What the line begins with; nil for what is in it.
    mutating func begin(_ purpose: Purpose, text: String? = nil) {
        if case .correction(_, let before) = self.purpose, text == nil { input.set(before) }
        self.purpose = purpose
        target = nil
        if let text { input.set(text) }
    }

    /// Goes back to writing a new message.
    mutating func abandonPurpose() {
        if case .correction(_, let before) = purpose { input.set(before) }
        purpose = nil
    }

    /// Puts another text where one is written, as somebody wrote it elsewhere.
    mutating func replace(with text: String, in transcript: Transcript, by me: String) {
        input.set(text)
        aim(in: transcript, by: me)
    }

    /// Completes the last characters before the cursor.
    mutating func complete(_ count: Int, with text: String) { input.complete(count, with: text) }

    /// What is above the line while it is about a message.
    var purposeLine: String? {
        switch purpose {
        case .answer(let target): "↳ replying to \(target.line)"
        case .correction(let target, _): "✎ changing \(target.line)"
        case nil: target.map { "↳ replying to \($0.line)" }
        }
    }

    /// The text that would be kept.
    var draftText: String {
        if case .correction(_, let before) = purpose { return before }
        return ChatCommand.draft(of: input.text)
    }

    /// Takes the line away, because it is done.
    mutating func take() {
        _ = input.take()
        target = nil
        if case .correction(_, let before) = purpose { input.set(before) }
        purpose = nil
    }

    /// Takes a command away, which leaves what the next text will be.
    mutating func takeCommand() {
        let purpose = purpose
        _ = input.take()
        target = nil
        self.purpose = purpose
    }

    /// Takes the line away to be sent: the node forgets its draft with it.
    mutating func takeToSend() {
        take()
        kept = ""
    }

    /// Gives a text back that was not sent, unless something else is being typed.
    mutating func giveBack(_ text: String, asAnswerTo answered: String?, in transcript: Transcript, by me: String) {
        guard input.isEmpty else { return }
        let messages = transcript.messages(ofOthersThan: me)
        if let place = messages.lastIndex(where: { $0.id == answered }) {
            input.restoreText("/reply \(messages.count - place) \(text)")
        } else {
            input.restoreText(ChatCommand.line(saying: text))
        }
        aim(in: transcript, by: me)
    }

    /// The draft for the node to keep; nil where it has it.
    mutating func changedDraft() -> String? {
        let draft = draftText
        guard draft != kept else { return nil }
        kept = draft
        return draft
    }
}
