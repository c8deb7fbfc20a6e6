import LocalAPIModel

/// What the commands do.
extension ChatState {
    /// Does what a command says.
    ///
    /// - Parameter chosen: The message that was chosen; nil where none was.
    mutating func act(_ action: ChatAction, _ argument: String, on chosen: MessageDescription?) -> [Effect] {
        switch action {
        case .info:
            panel = info
            return []
        case .help:
            return [.wish(.help)]
        case .quit:
            return quit()
        case .reply:
            return []
        case .edit:
            let message = chosen ?? transcript.newest { $0.sender == me && !$0.deleted }
            return about(message) { $0.edit($1, to: argument.isEmpty ? nil : argument) }
        case .delete:
            let message = chosen ?? transcript.newest { $0.sender == me && !$0.deleted }
            return about(message) { state, message in
                state.selection = Selection(message: message.id, question: .delete)
                state.reveal(message.id)
                return []
            }
        case .react:
            guard !argument.isEmpty else { return missing(action) }
            return about(chosen ?? transcript.newest(where: isOfSomebodyElse)) {
                $0.react(to: $1, with: argument)
            }
        case .pin:
            return about(chosen) { $0.pin($1) }
        case .who:
            return about(chosen ?? transcript.newest { $0.sender == me }) { $0.askWho(about: $1) }
        case .save:
            return about(chosen ?? transcript.newest { !$0.files.isEmpty }) {
                $0.save($1, into: argument.isEmpty ? nil : argument)
            }
        case .send:
            return sendFile(argument)
        case .go, .search, .list, .create, .direct, .join, .add, .invite, .accept, .decline, .leave, .mute, .archive:
            return wish(action, argument)
        }
    }

    private mutating func about(
        _ message: MessageDescription?, _ act: (inout ChatState, MessageDescription) -> [Effect]
    ) -> [Effect] {
        guard let message else {
            panel = ["Choose a message first: Up on an empty line."]
            return []
        }
        return act(&self, message)
    }

    private mutating func missing(_ action: ChatAction) -> [Effect] {
        panel = ["/\(action.rawValue) \(action.help.arguments): \(action.help.meaning)"]
        return []
    }

    private mutating func sendFile(_ argument: String) -> [Effect] {
        guard isWritable else { return [] }
        let words = ChatCommand.words(of: argument)
        guard let path = words.first else { return missing(.send) }
        let text = words.dropFirst().joined(separator: " ")
        var answered: String?
        if case .answer(let target) = composer.purpose {
            answered = target.id
            composer.abandonPurpose()
        }
        panel = ["Sending \(TerminalText.line(path))…"]
        return [.sendFile(path: path, text: text.isEmpty ? nil : text, replyTo: answered)] + showNewest()
    }

    private mutating func wish(_ action: ChatAction, _ argument: String) -> [Effect] {
        let names = conversation.kind == .direct ? "a direct conversation" : nil
        if action == .leave, let names {
            panel = ["Nobody can leave \(names)."]
            return []
        }
        if action == .leave, argument.split(separator: " ").first != "yes" { return askBeforeLeaving() }
        guard let wish = ChatWish(action, argument) else { return missing(action) }
        return [.wish(wish)]
    }

    private mutating func askBeforeLeaving() -> [Effect] {
        panel = []
        for question in Departure().questions(leaving: conversation, as: me) {
            switch question {
            case .leave, .leaveAndArchive: panel.append(question.text)
            case .successor(let candidates):
                let names = candidates.map { TerminalText.line($0.name) }.joined(separator: ", ")
                panel.append("You are the last admin. /leave yes NAME says who is admin after you: \(names).")
            }
        }
        panel.append("If you are sure: /leave yes")
        return []
    }
}

extension ChatWish {
    /// What a command and what stands behind it mean; nil where something is missing.
    init?(_ action: ChatAction, _ argument: String) {
        let words = ChatCommand.words(of: argument)
        switch action {
        case .go: self = argument.isEmpty ? .list : .go(words.joined(separator: " "))
        case .list: self = .list
        case .search where !argument.isEmpty: self = .search(argument)
        case .create where words.count > 1: self = .create(name: words[0], people: Array(words.dropFirst()))
        case .direct where !words.isEmpty: self = .direct(words.joined(separator: " "))
        case .join where !argument.isEmpty: self = .join(code: argument.filter { !$0.isWhitespace })
        case .add where !words.isEmpty: self = .add(words)
        case .invite where !words.isEmpty: self = .invite(words.joined(separator: " "))
        case .accept: self = .answer(accepting: true)
        case .decline: self = .answer(accepting: false)
        case .leave:
            let successor = words.dropFirst().joined(separator: " ")
            self = .leave(successor: successor.isEmpty ? nil : successor, archives: true)
        case .mute: self = .mute(argument)
        case .archive: self = .archive(argument != "off")
        case .search, .create, .direct, .join, .add, .invite, .reply, .edit, .delete, .react, .pin, .who, .send, .save,
            .info, .help, .quit:
            return nil
        }
    }
}
