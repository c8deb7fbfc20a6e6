/// A text as one word of a command that somebody pastes into a shell.
enum ShellWord {
    /// Quotes what a shell would not take as it is.
    static func quoted(_ text: String) -> String {
        let text = TerminalText.line(text)
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
                || "/._-+,@%".unicodeScalars.contains(scalar)
        }
        guard !isPlain || text.isEmpty else { return text }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
