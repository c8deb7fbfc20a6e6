/// How the list is shown next to a conversation.
extension ConversationList {
    /// Columns of the list, with the line behind it.
    static let sideWidth = 26
    /// Columns of a terminal from which on the list is next to the messages; else the title says what is new.
    static let minimumColumns = 90

    /// The list in a column of so many lines, with the conversation that is shown in it.
    func side(rows: Int) -> [StyledLine] {
        let width = Self.sideWidth - 2
        let place = entries.firstIndex { $0.id == shown } ?? 0
        let first = max(0, min(place - rows / 2, entries.count - rows))
        let shownEntries = entries.enumerated().dropFirst(first).prefix(rows)
        var lines = shownEntries.map { number, entry in
            var line = StyledLine()
            let isShown = entry.id == shown
            let mark = isShown ? "" : entry.mark
            let beginning = number < 10 ? "\((number + 1) % 10) " : "  "
            let room = width - beginning.count - mark.displayWidth - 1
            let title = entry.title.shortened(toWidth: room)
            let space = String(repeating: " ", count: max(0, room - title.displayWidth))
            let style: StyledLine.Style = isShown ? .inverse : entry.unread > 0 ? .bold : .plain
            line.append(beginning, isShown ? .inverse : .faint)
            line.append(title + space + " ", entry.isMuted && !isShown ? .faint : style)
            line.append(mark, entry.mentionsMe ? .mention : style)
            return line
        }
        lines += Array(repeating: StyledLine(String(repeating: " ", count: width)), count: max(0, rows - lines.count))
        return lines.map { line in
            var line = line.padded(to: width)
            line.append(" │", .faint)
            return line
        }
    }

    /// What is new elsewhere, for a title, for example "[2 Bots 5] [4 Crew @1] "; mentions first. Empty where nothing
    /// is.
    var note: String {
        let new = entries.enumerated().filter { $1.id != shown && !$1.mark.isEmpty && (!$1.isMuted || $1.mentionsMe) }
        let sorted = new.filter(\.element.mentionsMe) + new.filter { !$0.element.mentionsMe }
        return sorted.prefix(8).map { number, entry in
            "[\(number < 10 ? "\((number + 1) % 10) " : "")\(entry.title.shortened(toWidth: 16)) \(entry.mark)] "
        }.joined()
    }
}

extension ChatFrame {
    /// The frame with other lines in front of its own.
    func behind(_ side: [StyledLine]) -> ChatFrame {
        let width = side.first?.text.displayWidth ?? 0
        let joined = zip(side, lines).map { side, line in side.followed(by: line) }
        return ChatFrame(lines: joined, cursorRow: cursorRow, cursorColumn: cursorColumn + width)
    }
}
