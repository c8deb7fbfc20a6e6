import Conversations

/// Text that somebody else wrote, made harmless for a terminal as ``HarmlessText`` makes it.
enum TerminalText {
    /// One line: line breaks and tabs become spaces.
    static func line(_ text: String) -> String { HarmlessText.line(text) }

    /// Several lines: line breaks stay, tabs become spaces, and every line after the first is indented, so that none can
    /// pass for a message of its own.
    static func block(_ text: String, indentation: String) -> String {
        HarmlessText.clean(text, lineBreak: "\n" + indentation)
    }

    /// So many of something, in words.
    static func count(_ number: Int, _ thing: String) -> String { number == 1 ? "1 \(thing)" : "\(number) \(thing)s" }
}
