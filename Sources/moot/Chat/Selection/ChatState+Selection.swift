import LocalAPIModel

/// Choosing a message, and what is done with it.
extension ChatState {
    /// The message that is chosen; nil where none is, or it is not loaded any more.
    var selected: MessageDescription? {
        guard let selection else { return nil }
        return transcript.messages.last { $0.id == selection.message }
    }

    /// Does what a key means while a message is chosen.
    mutating func handle(_ key: Key, about selection: Selection) -> [Effect] {
        guard let message = selected else {
            self.selection = nil
            return handle(.key(key))
        }
        switch selection.question {
        case .delete:
            self.selection?.question = nil
            guard key == .text("y") || key == .text("Y") else { return [] }
            self.selection = nil
            return [.change(.delete(message.id))]
        case .reaction:
            return react(with: key, to: message)
        case nil:
            return move(key) ?? act(key, on: message)
        }
    }

    /// Chooses the newest message.
    mutating func beginSelection() -> [Effect] {
        let last = transcript.messages.last(where: isSelectable)
        // Whoever reads older messages chooses from those.
        let layout = layout
        let shown = bottom(in: layout).flatMap { bottom in
            transcript.messages[...bottom.message].last(where: isSelectable)
        }
        guard let chosen = anchor == nil ? last : shown ?? last else { return [] }
        return select(chosen.id)
    }

    private func isSelectable(_ message: MessageDescription) -> Bool { message.kind != .system }

    private mutating func select(_ id: String) -> [Effect] {
        selection = Selection(message: id)
        reveal(id)
        return markRead()
    }

    /// Moves the choice; nil for a key that does not.
    private mutating func move(_ key: Key) -> [Effect]? {
        let messages = transcript.messages
        guard let place = messages.lastIndex(where: { $0.id == selection?.message }) else { return nil }
        switch key {
        case .up:
            if let before = messages[..<place].last(where: isSelectable) { return select(before.id) }
            guard !loading.earlier, let earlier = transcript.earlier else { return [] }
            loading.earlier = true
            return [.loadEarlier(before: earlier)]
        case .down:
            if let after = messages[(place + 1)...].first(where: isSelectable) { return select(after.id) }
            guard transcript.later == nil else { return loadLater() }
            selection = nil
            anchor = nil
            return markRead()
        case .home:
            return messages.first(where: isSelectable).map { select($0.id) } ?? []
        case .end where transcript.later != nil:
            selection = nil
            return showNewest()
        case .end:
            return messages.last(where: isSelectable).map { select($0.id) } ?? []
        case .pageUp, .pageDown:
            let effects = key == .pageUp ? scrollUp() : scrollDown()
            guard let bottom = bottom(in: layout) else { return effects }
            if let chosen = messages[...bottom.message].last(where: isSelectable) {
                selection = Selection(message: chosen.id)
            }
            return effects
        default:
            return nil
        }
    }

    /// Does something with the message that is chosen.
    private mutating func act(_ key: Key, on message: MessageDescription) -> [Effect] {
        switch key {
        case .escape:
            selection = nil
            return []
        case .enter:
            return reply(to: message)
        case .text(let text):
            let effects = act(text, on: message)
            // Whoever types fast is not misunderstood.
            // Only a question has to be read first.
            guard text.count > 1, self.selection?.question != .delete else { return effects }
            return effects + handle(.key(.text(String(text.dropFirst()))))
        default:
            // Whoever goes on writing wants nothing of the message.
            selection = nil
            return handle(.key(key))
        }
    }

    private mutating func act(_ text: String, on message: MessageDescription) -> [Effect] {
        switch text.first {
        case "r": return reply(to: message)
        case "e": return edit(message, to: nil)
        case "d":
            selection?.question = .delete
            return []
        case "+":
            selection?.question = .reaction
            return []
        case "p": return pin(message)
        case "s": return save(message, into: nil)
        case "w": return askWho(about: message)
        case "/":
            selection?.isTyping = true
            composer.handle(.text("/"), in: transcript, by: me, selected: message)
            return []
        default:
            panel = ["No key does that; Esc goes back to the line that you write."]
            return []
        }
    }

    private mutating func react(with key: Key, to message: MessageDescription) -> [Effect] {
        selection?.question = nil
        guard case .text(let text) = key, let first = text.first, first != " " else { return [] }
        var emoji = text
        if let digit = Int(text), Selection.usualReactions.indices.contains(digit - 1) {
            emoji = Selection.usualReactions[digit - 1]
        }
        selection = nil
        return react(to: message, with: emoji)
    }

    // MARK: - What keys and commands both do

    mutating func reply(to message: MessageDescription) -> [Effect] {
        selection = nil
        guard isWritable else { return [] }
        composer.begin(.answer(.init(message)))
        return []
    }

    /// Changes an own message: at once where the new text is given, else it is put where texts are written.
    mutating func edit(_ message: MessageDescription, to text: String?) -> [Effect] {
        guard message.sender == me, message.kind == .text, !message.deleted, message.missingText == nil else {
            panel = ["Only texts of your own can be changed."]
            return []
        }
        selection = nil
        if let text { return [.change(.edit(message.id, text: text))] }
        guard isWritable else { return [] }
        composer.begin(.correction(.init(message), before: composer.draftText), text: message.text)
        return []
    }

    mutating func react(to message: MessageDescription, with emoji: String) -> [Effect] {
        let isMine = message.reactions.contains { $0.emoji == emoji && $0.users.contains(me) }
        return [.change(isMine ? .withdraw(message.id, emoji: emoji) : .react(message.id, emoji: emoji))]
    }

    mutating func pin(_ message: MessageDescription) -> [Effect] {
        selection = nil
        return [.change(message.pinned ? .unpin(message.id) : .pin(message.id))]
    }

    mutating func save(_ message: MessageDescription, into folder: String?) -> [Effect] {
        guard !message.files.isEmpty else {
            panel = ["That message carries no files."]
            return []
        }
        selection = nil
        return [.save(message.files, into: folder)]
    }

    mutating func askWho(about message: MessageDescription) -> [Effect] {
        guard message.sender == me else {
            panel = ["Who read a message is told to its author."]
            return []
        }
        return [.loadReceipts(of: message.id)]
    }
}
