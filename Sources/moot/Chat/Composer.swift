import LocalAPIModel

/// What is being written: the line that is typed, the message that it answers, and what the node keeps of it as a draft.
struct Composer: Equatable, Sendable {
    /// The message that will be answered. It was named by a number, which means another message as soon as one comes.
    struct Target: Equatable, Sendable {
        let number: Int
        let id: String
        /// Who said what, on one line.
        let line: String
    }

    private(set) var input = LineEditor()
    private(set) var target: Target?
    /// The draft that the node has, as the line says it.
    private var kept: String

    /// Goes on with what was begun another time.
    init(draft: String?) {
        // A program may have kept anything.
        input.restoreText(ChatCommand.line(saying: TerminalText.block(draft ?? "", indentation: "")))
        kept = ChatCommand.draft(of: input.text)
    }

    /// Takes a key, which may name another message to answer.
    mutating func handle(_ key: Key, in transcript: Transcript, by me: String) {
        _ = input.handle(key)
        aim(in: transcript, by: me)
    }

    /// Names the message of somebody else that will be answered, unless it is named already.
    mutating func aim(in transcript: Transcript, by me: String) {
        guard let number = ChatCommand.answered(by: input.text) else {
            target = nil
            return
        }
        guard target?.number != number else { return }
        target = nil
        // Looked at only here: most keys name nothing.
        let messages = transcript.messages(ofOthersThan: me)
        guard messages.count >= number else { return }
        let message = messages[messages.count - number]
        let text = message.missingText ?? message.text
        target = Target(
            number: number, id: message.id, line: TerminalText.line("\(message.senderName ?? "Unknown"): \(text)"))
    }

    /// Takes the line away, because it is done.
    mutating func take() {
        _ = input.take()
        target = nil
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
        let draft = ChatCommand.draft(of: input.text)
        guard draft != kept else { return nil }
        kept = draft
        return draft
    }
}
