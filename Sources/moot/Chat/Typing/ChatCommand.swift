/// What somebody wants who pressed Enter.
enum ChatCommand: Hashable, Sendable {
    case say(String)
    /// Answer a message of those shown, counted from the newest, which is 1.
    case reply(to: Int, String)
    /// Answer, but nothing is said yet.
    case replyWithoutText
    /// Anything else that a command does.
    case act(ChatAction, argument: String)
    /// Begins with a slash and is none of these.
    case unknown(String)

    /// Reads a line; nil if there is nothing in it. Two slashes at the beginning stand for one that is part of the
    /// text.
    init?(_ line: String) {
        let text = String(line.trimmingSuffix(while: \.isWhitespace))
        guard text.contains(where: { !$0.isWhitespace }) else { return nil }
        guard text.hasPrefix("/"), !text.hasPrefix("//") else {
            self = .say(text.hasPrefix("//") ? String(text.dropFirst()) : text)
            return
        }
        let parts = text.split(separator: " ", maxSplits: 1)
        let argument = parts.count > 1 ? String(parts[1]) : ""
        guard let action = ChatAction(word: parts[0].dropFirst()) else {
            self = .unknown(String(parts[0]))
            return
        }
        guard action == .reply else {
            self = .act(action, argument: argument.trimmed)
            return
        }
        let words = argument.split(separator: " ", maxSplits: 1)
        if let number = words.first.flatMap({ Int($0) }), number > 0 {
            self = words.count == 2 ? .reply(to: number, String(words[1])) : .replyWithoutText
        } else {
            self = words.isEmpty ? .replyWithoutText : .reply(to: 1, argument)
        }
    }

    /// Which message a line that is being typed will answer, counted from the newest; nil while it is no answer.
    static func answered(by line: String) -> Int? {
        guard line.hasPrefix("/reply ") else { return nil }
        return number(ofReply: line) ?? 1
    }

    /// Whether a line names the message that it answers by a number.
    static func namesNumber(_ line: String) -> Bool { line.hasPrefix("/reply ") && number(ofReply: line) != nil }

    private static func number(ofReply line: String) -> Int? {
        let word = line.dropFirst("/reply ".count).split(separator: " ", maxSplits: 1).first
        return word.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// The words of an argument; what is in double quotes is one, and a backslash takes a space or a quote into the
    /// word.
    static func words(of argument: String) -> [String] {
        var words: [String] = []
        var word: String?
        var isQuoted = false
        var isEscaped = false
        for character in argument {
            if isEscaped {
                word = (word ?? "") + (character == " " || character == "\"" ? "" : "\\") + String(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
                word = word ?? ""
            } else if character.isWhitespace, !isQuoted {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if isEscaped { word = (word ?? "") + "\\" }
        return words + [word].compactMap(\.self)
    }

    /// What of a line is worth keeping: the text without the command that would send it. A line that no command takes
    /// is a text too.
    static func draft(of line: String) -> String {
        switch ChatCommand(line) {
        case .say(let text), .reply(_, let text): text
        case .unknown: line
        case .replyWithoutText, .act, nil: ""
        }
    }

    /// The line that says a text which was kept.
    static func line(saying draft: String) -> String { draft.hasPrefix("/") ? "/" + draft : draft }
}

extension StringProtocol {
    fileprivate func trimmingSuffix(while condition: (Character) -> Bool) -> SubSequence {
        var end = endIndex
        while end > startIndex, condition(self[index(before: end)]) { end = index(before: end) }
        return self[..<end]
    }
    /// Without what is white at its ends.
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).trimmingSuffix(while: \.isWhitespace))
    }
}
