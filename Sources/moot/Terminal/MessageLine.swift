import LocalAPIModel

extension MessageDescription {
    /// Digits of an id that are printed: more than enough to mean one message.
    private static let idLength = 12
    private static let indentation = "        "

    /// The message as `moot read` and `moot watch` print it, for example `[12:03] Alice: Hello`; what the conversation
    /// itself reports is marked: `[12:03] * Alice added Bob`. The message it answers comes before the text, reactions below.
    ///
    /// - Parameter withID: whether the beginning of its id comes first.
    func line(_ output: Output, withID: Bool = false) -> String {
        let begin = withID ? output.faint("\(id.prefix(Self.idLength)) ") : ""
        let clock = "\(begin)[\(LocalTime(sentAt)?.clock ?? "--:--")]"
        guard kind != .system else {
            return output.faint("\(clock) * \(TerminalText.line(text))")
        }
        let name = TerminalText.line(senderName ?? "Unknown")
        var line = "\(clock) \(output.bold(name)): "
        if let quote { line += output.faint("> \(quote.line)") + "\n" + Self.indentation }
        line += missingText.map(output.faint) ?? TerminalText.block(text, indentation: Self.indentation)
        for file in files {
            line +=
                "\n" + Self.indentation
                + output.faint("[\(TerminalText.line(file.name)), \(TerminalText.size(file.size)), \(file.state)]")
        }
        if let marks { line += output.faint(" \(marks)") }
        if let reactionLine { line += "\n" + Self.indentation + reactionLine }
        return line
    }

    /// What replaces a text that is not here; nil where it is.
    var missingText: String? {
        gap.map { "(\(TerminalText.line($0.text)))" } ?? Self.missingText(readability, reason: unreadableReason)
    }

    /// What is to be known of it besides, for example `(edited, pinned)`; nil where there is nothing.
    var marks: String? {
        let marks = [
            afterRemoval == true ? "not seen before its author was out" : nil, editedAt.map { _ in "edited" },
            pinned ? "pinned" : nil,
        ].compactMap(\.self)
        return marks.isEmpty ? nil : "(\(marks.joined(separator: ", ")))"
    }

    /// How far an own message has come, for example `✓✓ read by 2 of 3`; nil for others'.
    var receiptLine: String? {
        guard let state, !deleted else { return nil }
        let all = state.recipients
        let (reached, read) = (state.deliveredTo.count, state.readBy.count)
        guard reached > 0 else { return "… not delivered yet" }
        guard read > 0 else { return reached == all ? "✓ delivered" : "✓ delivered to \(reached) of \(all)" }
        return read == all ? "✓✓ read" : "✓✓ read by \(read) of \(all)"
    }

    /// The beginning of its text, to tell which message is meant; nil once it was deleted.
    var preview: String? {
        guard !deleted else { return nil }
        let text = missingText ?? text
        return text.count > Quote.maximumLength ? text.prefix(Quote.maximumLength - 1) + "…" : text
    }

    /// Who gave it which emoji, on one line; nil if nobody did.
    var reactionLine: String? {
        guard !reactions.isEmpty else { return nil }
        return reactions.map { reaction in
            TerminalText.line("\(reaction.emoji) \(reaction.names.joined(separator: ", "))")
        }
        .joined(separator: "  ")
    }

    fileprivate static func missingText(_ readability: Readability, reason: String? = nil) -> String? {
        switch readability {
        case .open: nil
        case .closed: "(only for those who were members when it was sent)"
        case .wanted: "(not here yet: the others are being asked for it)"
        case .declined: "(not kept here: there is too much from its author, or nobody accepted the conversation yet)"
        case .deleted: "(deleted)"
        case .blocked: "Message from somebody you blocked"
        case .expired: "(erased here, as messages of this conversation are kept for a time only)"
        case .unreadable, .unknown: "(cannot be read: \(reason ?? readability.rawValue))"
        }
    }
}

extension MessageDescription.Quote {
    /// The quote on one line, for example `Bob: Hello`.
    var line: String {
        TerminalText.line("\(senderName): \(MessageDescription.missingText(readability) ?? text)")
    }
}
