import LocalAPIModel

/// What is shown.
extension ChatState {
    /// Lines of the screen that messages have: all but the title, what is said, and the line that is typed.
    var transcriptHeight: Int { max(1, size.rows - 2 - said.count) }

    /// What the screen shows now.
    var frame: ChatFrame { frame(note: "") }

    /// What the screen shows now.
    ///
    /// - Parameter note: What the title says of other conversations.
    func frame(note: String) -> ChatFrame {
        let layout = layout
        let height = transcriptHeight
        let shown = bottom(in: layout).map { layout.lines(endingAt: $0, count: height) } ?? []
        let takesText = isWritable || composer.input.text.hasPrefix("/")
        let prompt = takesText ? "> " : ""
        let (typed, column) =
            takesText
            ? composer.input.window(width: max(1, size.columns - prompt.count))
            : (closing.shortened(toWidth: size.columns), 0)
        var lines = [title(note: note)] + Array(repeating: StyledLine(), count: height - shown.count) + shown
        lines += said
        lines = lines.suffix(max(0, size.rows - 1)) + [StyledLine(prompt + typed, takesText ? .plain : .faint)]
        return ChatFrame(lines: lines, cursorRow: lines.count - 1, cursorColumn: prompt.count + column)
    }

    /// What stands in the place of the line that is typed where nothing can be written.
    private var closing: String {
        conversation.me.awaitsAnswer
            ? "Say first whether you want to be here: /accept or /decline."
            : "You are not in this group any more: you can read, not write."
    }

    private func title(note: String) -> StyledLine {
        let online = conversation.members.filter { $0.presence == .online || $0.user == me }.count
        let members = TerminalText.count(conversation.memberCount, "member")
        let text = " \(TerminalText.line(conversation.title))  \(members), \(online) online  /help"
        // The title of this one comes first; what is elsewhere gets half of the line at most.
        let note = note.shortened(toWidth: size.columns / 2)
        let line = text.shortened(toWidth: max(1, size.columns - note.displayWidth))
        let space = String(repeating: " ", count: max(0, size.columns - line.displayWidth - note.displayWidth))
        return StyledLine(line + space + note, .inverse)
    }

    /// What is said below the messages, the most important last.
    private var said: [StyledLine] {
        var lines = panel
        if let anchor, let place = transcript.messages.firstIndex(where: { $0.id == anchor.message }) {
            let below = transcript.messages.count - 1 - place
            lines.append(
                transcript.later == nil
                    ? "\(TerminalText.count(below, "newer message")) below (Page Down)"
                    : "Newer messages below (Page Down)")
        }
        if loading.newest, anchor == nil, transcript.later != nil { lines.append("Loading the newest messages…") }
        lines += transcript.gaps.map(TerminalText.line)
        if let typing { lines.append(typing) }
        if loading.earlier { lines.append("Loading earlier messages…") }
        if case .lost(let reason) = link { lines.append("\(reason) Trying again…") }
        if case .connecting = link { lines.append("Connecting…") }
        if let line = composer.purposeLine { lines.append(line.shortened(toWidth: size.columns)) }
        if let selection { lines.append(selection.hint.shortened(toWidth: size.columns)) }
        let shown = lines.flatMap { line in
            StyledLine.wrap([.init(text: line, style: .faint)], width: size.columns, indentation: 2)
        }
        // The typed line, the title and a few messages stay in view.
        return shown.suffix(max(0, size.rows - 4))
    }

    /// What `/info` says: behind bars and without colons, so that nobody takes a line for what somebody said.
    var info: [String] {
        let members = conversation.members.map { member in
            let marks = [member.verified ? "verified" : nil, member.blocked ? "blocked" : nil].compactMap(\.self)
            let words = ["\(member.role)", "\(member.presence)"] + marks
            return "\(member.name)\(member.user == me ? " (you)" : "") (\(words.joined(separator: ", ")))"
        }
        return ([conversation.title] + [conversation.description].compactMap(\.self) + members)
            .map { "│ " + TerminalText.line($0) }
    }

    static func words(for detail: ErrorDescription.Detail) -> [String] {
        [detail.message, detail.hint].compactMap(\.self).map(TerminalText.line)
    }
}
