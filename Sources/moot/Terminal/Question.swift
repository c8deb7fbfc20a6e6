/// Asks a person at the terminal.
enum Question {
    /// Whether the answer is yes; nothing else than "y" or "yes" is.
    static func isAnsweredYes(_ question: String) -> Bool {
        Terminal.write(Array("\(question) [y/N] ".utf8), to: .error)
        let answer = String(decoding: Terminal.readInput(), as: UTF8.self)
        return ["y", "yes"].contains(answer.lowercased().filter { !$0.isWhitespace })
    }
}
