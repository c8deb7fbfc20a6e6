import Node

extension MessageDescription {
    /// The message as `moot read` and `moot watch` print it, for example `[12:03] Alice: Hello`; what the conversation
    /// itself reports is marked: `[12:03] * Alice added Bob`.
    func line(_ output: Output) -> String {
        let clock = "[\(LocalTime(sentAt)?.clock ?? "--:--")]"
        guard kind != "system" else {
            return output.faint("\(clock) * \(TerminalText.line(text))")
        }
        let name = TerminalText.line(senderName ?? "Unknown")
        let shown = unreadableText.map(output.faint) ?? TerminalText.block(text, indentation: "        ")
        return "\(clock) \(output.bold(name)): \(shown)"
    }

    /// What stands in the place of a text that cannot be read; nil where it can.
    var unreadableText: String? {
        switch readability {
        case "open": nil
        case "closed": "(only for those who were members when it was sent)"
        case "wanted": "(not here yet: the others are being asked for it)"
        default: "(cannot be read: \(unreadableReason ?? readability))"
        }
    }
}
