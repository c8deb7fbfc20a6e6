import Conversations
import LocalAPIModel

extension MessageDescription {
    /// Digits of an id that are printed: more than enough to mean one message.
    private static let idLength = 12
    private static let indentation = "        "

    /// The message as `moot read` and `moot watch` print it, for example `[12:03] Alice: Hello`; what the conversation
    /// itself reports is marked: `[12:03] * Alice added Bob`. The message it answers stands above, files and reactions
    /// below.
    ///
    /// - Parameters:
    ///   - withID: Whether the beginning of its id comes first.
    ///   - place: What stands at the beginning of it, such as the title of the conversation.
    func line(_ output: Output, withID: Bool = false, in place: String = "") -> String {
        let begin = place + (withID ? output.faint("\(id.prefix(Self.idLength)) ") : "")
        let clock = "\(begin)[\(LocalTime(sentAt)?.clock ?? "--:--")]"
        guard kind != .system else {
            return output.faint("\(clock) * \(TerminalText.line(text))\(deliveryMark.map { " \($0)" } ?? "")")
        }
        let name = TerminalText.line(senderName ?? OwnWord.unknown.rawValue)
        var line = ""
        if let quoteLine {
            let margin = withID ? String(repeating: " ", count: Self.idLength + 1) : ""
            line = place + margin + output.faint(quoteLine) + "\n"
        }
        line += "\(clock) \(output.bold(name)): "
        line += missingText.map(output.faint) ?? TerminalText.block(text, indentation: Self.indentation)
        for file in files {
            line += "\n" + Self.indentation + output.faint(file.line)
        }
        if let marks { line += output.faint(" \(marks)") }
        if let deliveryMark { line += output.faint(" \(deliveryMark)") }
        if let reactionLine { line += "\n" + Self.indentation + reactionLine }
        return line
    }

    /// What stands above a message that answers another one, and leads to it, not to the one before; nil where it
    /// answers none.
    var quoteLine: String? {
        guard replyTo != nil else { return nil }
        return "╭─ \(quote?.line ?? "an earlier message")"
    }

    /// What was said, on one line, with its files.
    var summary: String {
        let names = files.map(\.name).joined(separator: ", ")
        // A message that has nothing but files has their names for a text.
        let words = [missingText ?? (text == names ? nil : text)].compactMap(\.self) + files.map(\.line)
        return TerminalText.line(words.joined(separator: " "))
    }

    /// What replaces a text that is not here; nil where it is.
    var missingText: String? {
        gap.map { "(\(TerminalText.line($0.text)))" } ?? Self.missingText(readability, reason: unreadableReason)
    }

    /// What is to be known of it besides, for example `(edited, pinned)`; nil where there is nothing.
    var marks: String? {
        let marks = [
            afterRemoval == true
                ? "does not count" + (uncounted.map { ": \(TerminalText.line($0.reason))" } ?? "") : nil,
            editedAt.map { _ in "edited" }, pinned ? "pinned" : nil,
        ].compactMap(\.self)
        return marks.isEmpty ? nil : "(\(marks.joined(separator: ", ")))"
    }

    /// What is to be known of an own message that nobody else has, for example `(pending)`; nil for any other.
    var deliveryMark: String? {
        guard let state, !deleted else { return nil }
        switch state.phase {
        case .pending: return "(pending)"
        case .failed: return "(failed\(state.reason.map { ": \(TerminalText.line($0))" } ?? ""))"
        case .delivered, .read, .unknown: return nil
        }
    }

    /// How far an own message has come, for example `✓✓ read by 2 of 3`; nil for others'.
    var receiptLine: String? {
        guard let state, !deleted else { return nil }
        if kind == .system { return state.phase == .pending ? "… not delivered yet" : nil }
        let all = state.recipients
        let (reached, read) = (state.deliveredTo.count, state.readBy.count)
        if state.phase == .failed { return "✗ \(TerminalText.line(state.reason ?? "failed"))" }
        guard reached > 0 else { return "… not delivered yet" }
        guard read > 0 else { return reached == all ? "✓ delivered" : "✓ delivered to \(reached) of \(all)" }
        return read == all ? "✓✓ read" : "✓✓ read by \(read) of \(all)"
    }

    /// The beginning of its text, to tell which message is meant; nil once it was deleted.
    var preview: String? {
        guard !deleted else { return nil }
        let text = missingText ?? text
        return text.count > APILimits.maximumQuoteLength ? text.prefix(APILimits.maximumQuoteLength - 1) + "…" : text
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

extension FileDescription {
    /// The file below its message, for example `[tides.pdf, 82 KiB, here]`.
    var line: String { "[\(TerminalText.line(name)), \(TerminalText.size(size)), \(state)]" }
}

extension MessageDescription.Quote {
    /// The quote on one line, for example `Bob: Hello`.
    var line: String {
        TerminalText.line("\(senderName): \(MessageDescription.missingText(readability) ?? text)")
    }
}
