import LocalAPIModel

/// A conversation as `moot read` prints it.
struct TextExport: ExportDocument {
    let fileName = "conversation.txt"
    private let output = Output(isJSON: false, isQuiet: false, isPlain: true)
    /// The day of what was written last.
    private var day: String?

    func beginning(_ head: ExportHead) -> [UInt8] {
        let conversation = head.conversation
        var lines = [TerminalText.line(conversation.title)]
        if let description = conversation.description, !description.isEmpty {
            lines.append(TerminalText.block(description, indentation: ""))
        }
        lines.append("exported \(head.time) by Moot \(head.program)")
        lines.append("members:")
        lines += conversation.members.map { "  \(TerminalText.line($0.name)), \($0.role)" }
        return Self.bytes(lines + [""])
    }

    mutating func part(_ messages: [MessageDescription], files: ExportedFiles) -> [UInt8] {
        let lines = Read.lines(of: messages, today: day, output, withIDs: false)
        day = messages.last { LocalTime($0.sentAt) != nil }.flatMap { LocalTime($0.sentAt)?.day } ?? day
        return Self.bytes(lines)
    }

    func end(gaps: [GapDescription]) -> [UInt8] {
        Self.bytes(gaps.map { "* \(TerminalText.line($0.text))" })
    }

    private static func bytes(_ lines: [String]) -> [UInt8] { lines.flatMap { Array("\($0)\n".utf8) } }
}
