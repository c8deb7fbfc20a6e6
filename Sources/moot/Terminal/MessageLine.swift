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
        return "\(clock) \(output.bold(name)): \(TerminalText.block(text, indentation: "        "))"
    }
}
