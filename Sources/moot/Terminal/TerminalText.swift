/// Text that somebody else wrote, made harmless for a terminal.
///
/// Control characters (C0, DEL and C1) could move the cursor, recolour the screen or answer for the user; embeddings,
/// overrides and isolates of the bidirectional algorithm (U+202A–U+202E, U+2066–U+2069) could show a text in another
/// order than it has. They are taken out. Everything else, in whatever script, stays.
enum TerminalText {
    /// One line: line breaks and tabs become spaces.
    static func line(_ text: String) -> String {
        clean(text, lineBreak: " ")
    }

    /// Several lines: line breaks stay, tabs become spaces, and every line after the first is indented, so that none can
    /// pass for a message of its own.
    static func block(_ text: String, indentation: String) -> String {
        clean(text, lineBreak: "\n" + indentation)
    }

    private static func clean(_ text: String, lineBreak: String) -> String {
        var cleaned = String.UnicodeScalarView()
        var wasReturn = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n" where wasReturn:
                break
            case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}":
                cleaned.append(contentsOf: lineBreak.unicodeScalars)
            case "\t":
                cleaned.append(" ")
            case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}":
                break
            default:
                cleaned.append(scalar)
            }
            wasReturn = scalar == "\r"
        }
        return String(cleaned)
    }

    /// So many of something, in words.
    static func count(_ number: Int, _ thing: String) -> String { number == 1 ? "1 \(thing)" : "\(number) \(thing)s" }
}
