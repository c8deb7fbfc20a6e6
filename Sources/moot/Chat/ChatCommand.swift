/// What somebody wants who pressed Enter.
enum ChatCommand: Hashable, Sendable {
    case say(String)
    /// Answer a message of those shown, counted from the newest, which is 1.
    case reply(to: Int, String)
    /// Answer, but nothing is said yet.
    case replyWithoutText
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
        case "/reply":
            let words = argument.split(separator: " ", maxSplits: 1)
            if let number = words.first.flatMap({ Int($0) }), number > 0 {
                self = words.count == 2 ? .reply(to: number, String(words[1])) : .replyWithoutText
            } else {
                self = words.isEmpty ? .replyWithoutText : .reply(to: 1, argument)
            }
        default: self = .unknown(String(parts[0]))
        }
    }

    /// Which message a line that is being typed will answer, counted from the newest; nil while it is no answer.
    static func answered(by line: String) -> Int? {
        guard line.hasPrefix("/reply ") else { return nil }
        let word = line.dropFirst("/reply ".count).split(separator: " ", maxSplits: 1).first
        return word.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 1
    }

    /// What of a line is worth keeping: the text without the command that would send it. A line that no command takes is a text too.
    static func draft(of line: String) -> String {
        switch ChatCommand(line) {
        case .say(let text), .reply(_, let text): text
        case .unknown: line
        case .replyWithoutText, .info, .help, .quit, nil: ""
        }
    }

    /// The line that says a text which was kept.
    static func line(saying draft: String) -> String { draft.hasPrefix("/") ? "/" + draft : draft }

    /// What `/help` says.
    static let helpLines = [
        "/reply TEXT      answer the last message; /reply 3 TEXT the third last, which is shown as you type",
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
