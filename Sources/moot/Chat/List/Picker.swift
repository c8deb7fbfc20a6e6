/// A list of which one line is chosen: with the arrows, by typing a part of it, or by its number.
struct Picker: Equatable, Sendable {
    /// What choosing a row leads to.
    enum Choice: Hashable, Sendable {
        case place(ChatPlace)
        /// A command, to be typed on.
        case command(ChatAction)
        /// Nothing: the row is only read.
        case none(Int)
    }

    /// What can be chosen.
    struct Row: Equatable, Sendable {
        let choice: Choice
        let text: String
        /// What stands at the end of the line.
        var mark = ""
        var isBold = false
    }

    /// What a key came to.
    enum Outcome: Equatable, Sendable {
        case nothing
        case chosen(Choice)
        /// A line that begins with a slash.
        case typed(ChatCommand)
        case closed
    }

    let title: String
    /// What is said while there are no rows.
    var nothing: String
    private(set) var rows: [Row]
    private(set) var input = LineEditor()
    private var chosen: Choice?
    /// Said to whoever sits here, until the next key.
    var panel: [String] = []

    init(title: String, nothing: String, rows: [Row], chosen: Choice? = nil) {
        (self.title, self.nothing, self.rows, self.chosen) = (title, nothing, rows, chosen)
    }

    /// Shows other rows; the choice stays on the same one.
    mutating func replace(with rows: [Row]) { self.rows = rows }

    /// The rows that have every word in them which was typed.
    private var found: [Row] {
        guard !input.text.hasPrefix("/") else { return rows }
        let words = input.text.lowercased().split(separator: " ")
        guard !words.isEmpty else { return rows }
        return rows.filter { row in
            let text = row.text.lowercased()
            return words.allSatisfy(text.contains)
        }
    }

    private func place(in found: [Row]) -> Int { found.firstIndex { $0.choice == chosen } ?? 0 }

    /// Does what a key means.
    ///
    /// - Parameter page: How many rows are shown.
    mutating func handle(_ key: Key, page: Int) -> Outcome {
        if key != .tab { panel = [] }
        switch key {
        case .up, .conversationBefore: move(by: -1)
        case .down, .conversationAfter: move(by: 1)
        case .pageUp: move(by: -page)
        case .pageDown: move(by: page)
        case .home: move(by: -rows.count)
        case .end: move(by: rows.count)
        case .conversation(let number):
            if rows.indices.contains(number - 1) { return .chosen(rows[number - 1].choice) }
        case .escape: return .closed
        case .enter:
            if input.text.hasPrefix("/"), let command = ChatCommand(input.text) {
                _ = input.take()
                return .typed(command)
            }
            let found = found
            return found.isEmpty ? .nothing : .chosen(found[place(in: found)].choice)
        case .text, .paste, .backspace, .delete, .deleteWord, .deleteToStart, .deleteToEnd:
            _ = input.handle(key)
            // The best comes first.
            chosen = nil
        case .left, .right, .wordLeft, .wordRight: _ = input.handle(key)
        case .lineBreak, .recallEarlier, .recallLater, .tab, .redraw, .interrupt, .endOfInput, .suspend, .openEditor,
            .conversationUnread:
            break
        }
        return .nothing
    }

    private mutating func move(by step: Int) {
        let found = found
        guard !found.isEmpty else { return }
        chosen = found[min(max(0, place(in: found) + step), found.count - 1)].choice
    }

    /// Lines for rows in a window.
    func page(in size: ChatSize) -> Int { max(1, size.rows - 2 - panelLines(size).count) }

    private func panelLines(_ size: ChatSize) -> [StyledLine] {
        let lines = panel.flatMap { line in
            StyledLine.wrap([.init(text: line, style: .faint)], width: size.columns, indentation: 2)
        }
        return lines.suffix(max(0, size.rows - 4))
    }

    /// What the screen shows.
    func frame(in size: ChatSize) -> ChatFrame {
        let found = found
        let height = page(in: size)
        let place = place(in: found)
        let first = max(0, min(place - height / 2, found.count - height))
        var lines = [StyledLine(title, .inverse).padded(to: size.columns)]
        for (index, row) in found.enumerated().dropFirst(first).prefix(height) {
            let mark = row.mark.shortened(toWidth: max(1, size.columns / 3))
            let room = max(1, size.columns - mark.displayWidth - 3)
            let text = row.text.shortened(toWidth: room)
            let space = String(repeating: " ", count: max(0, room - text.displayWidth))
            let isChosen = index == place
            // Told apart also where styles are not welcome.
            let style: StyledLine.Style = isChosen ? .inverse : row.isBold ? .bold : .plain
            let line = StyledLine("\(isChosen ? ">" : " ") \(text)\(space) \(mark)", style)
            lines.append(line.padded(to: size.columns))
        }
        if found.isEmpty {
            let words = rows.isEmpty ? nothing : "Nothing fits."
            lines.append(StyledLine(words.shortened(toWidth: size.columns), .faint))
        }
        lines += Array(repeating: StyledLine(), count: max(0, height + 1 - lines.count))
        lines += panelLines(size)
        lines = Array(lines.prefix(max(0, size.rows - 1)))
        let (typed, column) = input.window(width: max(1, size.columns - 2))
        lines.append(StyledLine("> " + typed))
        return ChatFrame(lines: lines, cursorRow: lines.count - 1, cursorColumn: 2 + column)
    }
}

/// Where a choice leads: to a conversation, or to a message of it.
struct ChatPlace: Hashable, Sendable {
    let conversation: String
    var message: String?
}
