/// A text that is being typed, with a cursor and the texts typed before it.
struct LineEditor: Equatable, Sendable {
    /// The most texts remembered.
    private static let maximumHistory = 200

    private(set) var characters: [Character] = []
    /// Where the next character goes: before the one with this index.
    private(set) var cursor = 0
    private var history: [String] = []
    /// Which earlier text is shown, counted from the latest; nil while what is typed is new.
    private var shown: Int?
    /// What was typed before an earlier text was looked for.
    private var draft = ""

    var text: String { String(characters) }
    var isEmpty: Bool { characters.isEmpty }

    /// Does what a key means here; false if it means nothing.
    mutating func handle(_ key: Key) -> Bool {
        switch key {
        case .text(let text): insert(text, lineBreak: " ")
        case .paste(let text): insert(text, lineBreak: "\n")
        case .lineBreak: insert("\n", lineBreak: "\n")
        case .backspace: remove(max(0, cursor - 1)..<cursor)
        case .delete: remove(cursor..<min(characters.count, cursor + 1))
        case .deleteWord: remove(wordStart..<cursor)
        case .deleteToStart: remove(0..<cursor)
        case .deleteToEnd: remove(cursor..<characters.count)
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(characters.count, cursor + 1)
        case .wordLeft: cursor = wordStart
        case .wordRight: cursor = wordEnd
        case .home: cursor = 0
        case .end: cursor = characters.count
        case .up, .recallEarlier: recall(by: 1)
        case .down, .recallLater: recall(by: -1)
        case .enter, .pageUp, .pageDown, .tab, .escape, .redraw, .interrupt, .endOfInput, .suspend, .openEditor,
            .conversationBefore, .conversationAfter, .conversationUnread, .conversation:
            return false
        }
        return true
    }

    /// Takes the text away to be sent; it can be recalled.
    mutating func take() -> String {
        let text = self.text
        if !text.isEmpty, history.last != text { history.append(text) }
        if history.count > Self.maximumHistory { history.removeFirst() }
        replace(with: "")
        shown = nil
        draft = ""
        return text
    }

    /// Gives a text back that could not be sent, unless something else is being typed.
    mutating func restoreText(_ text: String) {
        guard isEmpty else { return }
        replace(with: text)
    }

    /// Puts another text in the place of what is typed.
    mutating func set(_ text: String) {
        replace(with: TerminalText.block(text, indentation: ""))
    }

    /// The text before the cursor.
    var textBeforeCursor: String { String(characters[..<cursor]) }

    /// Puts a text in the place of the last characters before the cursor.
    mutating func complete(_ count: Int, with text: String) {
        remove(max(0, cursor - count)..<cursor)
        insert(text, lineBreak: " ")
    }

    /// The part of the text around the cursor that fits, on one line, and the column of the cursor in it. Line breaks
    /// are shown as "⏎".
    func window(width: Int) -> (text: String, cursorColumn: Int) {
        let shownCharacters = characters.map { $0.isNewline ? "⏎" : $0 }
        var start = cursor
        var before = 0
        // One column stays free for the cursor at the end.
        while start > 0, before + shownCharacters[start - 1].displayWidth < width {
            start -= 1
            before += shownCharacters[start].displayWidth
        }
        var text = ""
        var used = 0
        for character in shownCharacters[start...] {
            used += character.displayWidth
            guard used <= width else { break }
            text.append(character)
        }
        return (text, before)
    }

    private mutating func insert(_ text: String, lineBreak: String) {
        let clean = TerminalText.block(text, indentation: "").replacing("\n", with: lineBreak)
        // Joined as text, because a mark that was typed becomes one character with the letter before it.
        let left = String(characters[..<cursor]) + clean
        let whole = left + String(characters[cursor...])
        characters = Array(whole)
        cursor = min(left.count, characters.count)
    }

    private mutating func remove(_ range: Range<Int>) {
        characters.removeSubrange(range)
        cursor = range.lowerBound
    }

    private mutating func replace(with text: String) {
        characters = Array(text)
        cursor = characters.count
    }

    private mutating func recall(by step: Int) {
        let wanted = (shown ?? -1) + step
        guard wanted < history.count, wanted >= -1 else { return }
        if shown == nil { draft = text }
        shown = wanted < 0 ? nil : wanted
        replace(with: wanted < 0 ? draft : history[history.count - 1 - wanted])
    }

    private var wordStart: Int {
        var place = cursor
        while place > 0, characters[place - 1].isWhitespace { place -= 1 }
        while place > 0, !characters[place - 1].isWhitespace { place -= 1 }
        return place
    }

    private var wordEnd: Int {
        var place = cursor
        while place < characters.count, characters[place].isWhitespace { place += 1 }
        while place < characters.count, !characters[place].isWhitespace { place += 1 }
        return place
    }
}
