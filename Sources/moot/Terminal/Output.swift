import LocalAPIModel

/// What a command prints: data on standard output, words for people on standard error.
struct Output: Sendable {
    let isJSON: Bool
    let isQuiet: Bool
    /// Whether what it makes is no terminal's, whoever runs the command.
    var isPlain = false

    /// Prints the answer: the value as JSON, or the lines made for people.
    func answer(_ value: some Encodable, _ lines: () -> [String]) throws(UnreadableJSON) {
        guard !isJSON else {
            Terminal.write(JSONLine.sanitized(try WireFormat.encode(value)), to: .output)
            return
        }
        let lines = lines()
        guard !lines.isEmpty else { return }
        Terminal.write(Array((TerminalText.printed(lines.joined(separator: "\n")) + "\n").utf8), to: .output)
    }

    /// Prints the answer of a command that changed something: JSON as data, a sentence as words.
    func changed(_ value: some Encodable, _ sentence: String) throws(UnreadableJSON) {
        if isJSON {
            try answer(value) { [] }
        } else {
            say(sentence)
        }
    }

    /// Says something to people, who may not want to hear it.
    func say(_ sentence: String) {
        guard !isQuiet, !isJSON else { return }
        Terminal.write(Array((TerminalText.printed(sentence) + "\n").utf8), to: .error)
    }

    /// Warns people, however little they want to hear; programs find the same in the answers.
    func warn(_ sentence: String) {
        guard !isJSON else { return }
        let (isStyled, sentence) = (Terminal.wantsStyle(.error), TerminalText.printed(sentence))
        Terminal.write(Array((isStyled ? "\u{1B}[1m\(sentence)\u{1B}[0m\n" : "\(sentence)\n").utf8), to: .error)
    }

    /// Shows how far it is, on one line that is written over; only to a person.
    func progress(_ sentence: String, isLast: Bool = false) {
        guard !isQuiet, !isJSON, Terminal.isTerminal(.error) else { return }
        Terminal.write(Array("\r\(sentence)\u{1B}[K\(isLast ? "\n" : "")".utf8), to: .error)
    }

    /// Takes the line back that says how far it is.
    func eraseProgress() { progress("") }

    /// Tells programs how far it is: a line of JSON next to the answer, which stays one value.
    func progress(_ step: some Encodable) {
        guard isJSON, !isQuiet, let json = try? WireFormat.encode(step) else { return }
        Terminal.write(JSONLine.sanitized(json), to: .error)
    }

    /// Reports an error, which is never too quiet to hear.
    func report(_ detail: ErrorDescription.Detail) {
        if isJSON, let json = try? WireFormat.encode(ErrorDescription(detail)) {
            Terminal.write(JSONLine.sanitized(json), to: .error)
            return
        }
        var text = "error: \(TerminalText.line(detail.message)) (\(TerminalText.line(detail.code)))\n"
        if let hint = detail.hint { text += "       \(TerminalText.block(hint, indentation: "       "))\n" }
        Terminal.write(Array(text.utf8), to: .error)
    }

    /// Text that stands out where that is welcome.
    func bold(_ text: String) -> String {
        !isPlain && Terminal.wantsStyle(.output) ? "\u{1B}[1m\(text)\u{1B}[0m" : text
    }

    /// Text that stands back where that is welcome.
    func faint(_ text: String) -> String {
        !isPlain && Terminal.wantsStyle(.output) ? "\u{1B}[2m\(text)\u{1B}[0m" : text
    }
}
