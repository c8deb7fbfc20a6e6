import Conversations
import LocalAPIModel

/// Where the lines of messages are when they are shown below each other in a column of a width.
///
/// Only what is looked at is laid out, so a key costs the same however many messages are loaded.
struct ChatLayout {
    /// A line of a message.
    struct Position: Hashable, Sendable {
        /// The message, by its index.
        var message: Int
        /// The line in it, from 0 on.
        var line: Int
    }

    let messages: [MessageDescription]
    let width: Int
    /// The id of the node's user.
    let me: String
    /// The id of the message above which the new ones begin; nil where none are new.
    var firstUnread: String?
    /// The id of the message that is chosen; nil where none is.
    var selected: String?

    /// The last line of all; nil where there is no message.
    var end: Position? {
        messages.indices.last.map { Position(message: $0, line: lines(of: $0).count - 1) }
    }

    /// So many lines that end with a position, the topmost first; fewer where the messages begin.
    func lines(endingAt position: Position, count: Int) -> [StyledLine] {
        var found: [StyledLine] = []
        var message = position.message
        var shown = lines(of: message).prefix(position.line + 1)
        while true {
            found = shown + found
            guard found.count < count, message > 0 else { break }
            message -= 1
            shown = lines(of: message)[...]
        }
        return found.suffix(count)
    }

    /// The position so many lines above; the first line where there are not so many.
    func position(_ count: Int, above position: Position) -> Position {
        var position = position
        var rest = count
        while rest > position.line {
            guard position.message > 0 else { return Position(message: 0, line: 0) }
            rest -= position.line + 1
            position.message -= 1
            position.line = lines(of: position.message).count - 1
        }
        position.line -= rest
        return position
    }

    /// The position so many lines below; nil where there are not so many.
    func position(_ count: Int, below position: Position) -> Position? {
        var position = position
        var rest = count
        while true {
            let last = lines(of: position.message).count - 1
            if position.line + rest <= last {
                position.line += rest
                return position
            }
            guard position.message + 1 < messages.count else { return nil }
            rest -= last - position.line + 1
            position = Position(message: position.message + 1, line: 0)
        }
    }

    /// The lines of a message: one where the new ones begin, one for a new day, one for what is answered, then who said
    /// what when, and with which files.
    func lines(of index: Int) -> [StyledLine] {
        let message = messages[index]
        let time = LocalTime(message.sentAt)
        var lines: [StyledLine] = []
        if message.id == firstUnread {
            lines.append(StyledLine("── new messages ──".shortened(toWidth: width), .bold))
        }
        if let day = time?.day, index == 0 || LocalTime(messages[index - 1].sentAt)?.day != day {
            lines.append(StyledLine("── \(day) ──".shortened(toWidth: width), .faint))
        }
        // Told apart also where styles are not welcome.
        let isSelected = message.id == selected
        let clock = isSelected ? ">\(time?.clock ?? "--:--")< " : "[\(time?.clock ?? "--:--")] "
        guard message.kind != .system else {
            let text = "\(clock)* \(TerminalText.line(message.text))"
            return lines + StyledLine.wrap([.init(text: text, style: .faint)], width: width, indentation: 8)
        }
        if let quote = message.quoteLine {
            lines.append(StyledLine(quote.shortened(toWidth: min(width, 80)), .faint))
        }
        let name = TerminalText.line(message.senderName ?? OwnWord.unknown.rawValue)
        let text = TerminalText.block(message.text, indentation: "")
        var pieces: [StyledLine.Piece] = [
            .init(text: clock, style: isSelected ? .inverse : .faint),
            .init(text: name + ":", style: nameStyle(of: message)),
            .init(text: " ", style: .plain),
            message.missingText.map { .init(text: $0, style: .faint) }
                ?? .init(text: text, style: isSelected ? .inverse : .plain),
        ]
        if let receipts = receipts(of: index) { pieces.append(.init(text: "  " + receipts, style: .faint)) }
        if let marks = message.marks { pieces.append(.init(text: " " + marks, style: .faint)) }
        lines += StyledLine.wrap(pieces, width: width, indentation: 8)
        for file in message.files {
            lines += StyledLine.wrap([.init(text: "        " + file.line, style: .faint)], width: width, indentation: 8)
        }
        if let reactions = message.reactionLine {
            lines += StyledLine.wrap(
                [.init(text: "        " + reactions, style: .plain)], width: width, indentation: 8)
        }
        return lines
    }

    /// A color for each person; who mentions the user stands out.
    private func nameStyle(of message: MessageDescription) -> StyledLine.Style {
        guard let sender = message.sender, sender != me else { return .bold }
        if message.mentions.contains(me) { return .mention }
        // Any sum does that is the same wherever the person writes.
        return .person(sender.utf8.reduce(0) { ($0 * 31 + Int($1)) % 9_973 } % StyledLine.personColors.count)
    }

    /// How far an own message has come; nil where the user's next one says the same, so that it is shown once below
    /// many.
    private func receipts(of index: Int) -> String? {
        guard let receipts = messages[index].receiptLine else { return nil }
        let next = messages[(index + 1)...].lazy.compactMap(\.receiptLine).first
        return next == receipts ? nil : receipts
    }
}
