/// How much room there is.
struct ChatSize: Hashable, Sendable {
    var rows: Int
    var columns: Int
}

/// What a screen shows: its lines from the top, and where the cursor is, counted from 0.
struct ChatFrame: Hashable, Sendable {
    var lines: [StyledLine]
    var cursorRow: Int
    var cursorColumn: Int

    /// What a terminal is told to show this frame.
    ///
    /// - Parameters:
    ///   - shown: The frame it shows now; nil if that is not known.
    ///   - isStyled: Whether styles are welcome.
    func update(from shown: ChatFrame?, isStyled: Bool) -> String {
        // The cursor does not jump about while lines are written.
        var text = "\u{1B}[?25l"
        if shown == nil { text += "\u{1B}[2J" }
        for (row, line) in lines.enumerated()
        where shown.map({ row >= $0.lines.count || $0.lines[row] != line }) ?? true {
            // Cleared before, not after: at the end of a full line a terminal would clear its last character.
            text += "\u{1B}[\(row + 1);1H\u{1B}[2K\(line.printed(isStyled: isStyled))"
        }
        if let shown, shown.lines.count > lines.count { text += "\u{1B}[\(lines.count + 1);1H\u{1B}[J" }
        return text + "\u{1B}[\(cursorRow + 1);\(cursorColumn + 1)H\u{1B}[?25h"
    }
}
