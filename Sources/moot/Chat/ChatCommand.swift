/// What somebody wants who pressed Enter.
enum ChatCommand: Hashable, Sendable {
    case say(String)
    /// Answer a message of those shown, counted from the newest, which is 1.
    case reply(to: Int, String)
    case info
    case help
    case quit
    /// Begins with a slash and is none of these.
    case unknown(String)

    /// Reads a line; nil if there is nothing in it. Two slashes at the beginning stand for one that is part of the text.
    init?(_ line: String) {
        let text = String(line.trimmingSuffix(while: \.isWhitespace))
        guard text.contains(where: { !$0.isWhitespace }) else { return nil }
        guard text.hasPrefix("/"), !text.hasPrefix("//") else {
            self = .say(text.hasPrefix("//") ? String(text.dropFirst()) : text)
            return
        }
        let parts = text.split(separator: " ", maxSplits: 1)
        let argument = parts.count > 1 ? String(parts[1]) : ""
        switch parts[0] {
        case "/help", "/?": self = .help
        case "/quit", "/exit", "/q": self = .quit
        case "/info": self = .info
        case "/reply" where !argument.isEmpty:
            let words = argument.split(separator: " ", maxSplits: 1)
            if words.count == 2, let number = Int(words[0]), number > 0 {
                self = .reply(to: number, String(words[1]))
            } else {
                self = .reply(to: 1, argument)
            }
        default: self = .unknown(String(parts[0]))
        }
    }

    /// What `/help` says.
    static let helpLines = [
        "/reply TEXT      answer the last message; /reply 3 TEXT the third last",
        "/info            who is here",
        "/quit            or Ctrl-C, or Ctrl-D on an empty line",
        "//TEXT           a text that begins with a slash",
        "Page Up, Page Down scroll; Up, Down bring back what you typed; Alt-Enter begins a new line",
    ]
}

extension StringProtocol {
    fileprivate func trimmingSuffix(while condition: (Character) -> Bool) -> SubSequence {
        var end = endIndex
        while end > startIndex, condition(self[index(before: end)]) { end = index(before: end) }
        return self[..<end]
    }
}
