import LocalAPIModel

/// What Tab does.
extension ChatState {
    /// The names of the others who can be mentioned here.
    private var names: [String] {
        conversation.members.filter { $0.user != me && !$0.deleted }.map { TerminalText.line($0.name) }
    }

    mutating func complete() -> [Effect] {
        let line = composer.input.textBeforeCursor
        if line.hasPrefix("/send ") || line.hasPrefix("/save ") {
            return [.findPaths(String(line.dropFirst("/send ".count)))]
        }
        if line.hasPrefix("/"), !line.contains(" ") {
            take(Completion(line, among: ChatAction.allCases.map { "/" + $0.rawValue }))
        } else if let at = line.lastIndex(of: "@") {
            take(Completion(String(line[line.index(after: at)...]), among: names))
        } else if !line.hasPrefix("/"), let word = line.split(separator: " ").last, line.last != " " {
            // Whoever begins a name means somebody, who learns of it by the @.
            take(Completion(String(word), among: names).map { $0.asMention() })
        }
        return []
    }

    /// Takes what fits to the word before the cursor.
    mutating func take(_ completion: Completion?) {
        guard let completion else { return }
        panel = completion.choices.isEmpty ? [] : [completion.choices.prefix(20).joined(separator: "  ")]
        if let text = completion.text { composer.complete(completion.count, with: text) }
    }

    mutating func complete(path beginning: String, among paths: [String]) -> [Effect] {
        // What was typed meanwhile is not overwritten.
        guard composer.input.textBeforeCursor.hasSuffix(" " + beginning) else { return [] }
        take(Completion(beginning, among: paths, ending: ""))
        return []
    }
}

extension Completion {
    /// The same as a mention.
    fileprivate func asMention() -> Completion {
        Completion(count: count, text: text.map { "@" + $0 }, choices: choices)
    }

    private init(count: Int, text: String?, choices: [String]) {
        (self.count, self.text, self.choices) = (count, text, choices)
    }
}
