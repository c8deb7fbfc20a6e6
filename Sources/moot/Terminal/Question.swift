/// Asks a person at the terminal.
enum Question {
    /// Whether the answer is yes; nothing else than "y" or "yes" is.
    static func isAnsweredYes(_ question: String) -> Bool {
        let answer = answer(to: "\(question) [y/N] ") ?? ""
        return ["y", "yes"].contains(answer.lowercased().filter { !$0.isWhitespace })
    }

    /// The line that is typed behind a question; nil where nobody types any more.
    static func answer(to question: String) -> String? {
        Terminal.write(Array(question.utf8), to: .error)
        let line = Terminal.readInput()
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }
}
