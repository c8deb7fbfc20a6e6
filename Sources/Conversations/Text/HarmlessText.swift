/// Text that somebody else wrote, made harmless to show.
///
/// Control characters (C0, DEL and C1) could move a terminal's cursor, recolour the screen or answer for the user; embeddings,
/// overrides and isolates of the bidirectional algorithm (U+202A–U+202E, U+2066–U+2069) could show a text in another
/// order than it has. They are taken out. Everything else, in whatever script, stays.
public enum HarmlessText {
    /// One line: line breaks and tabs become spaces.
    public static func line(_ text: String) -> String { clean(text, lineBreak: " ") }

    /// The text with every line break replaced, and tabs by spaces.
    public static func clean(_ text: String, lineBreak: String) -> String {
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

    /// One line of at most so many characters; where something is cut it ends with "…". No character is split, and one that is made of
    /// more scalars than any script needs is cut away with what follows it.
    public static func line(_ text: String, limit: Int) -> String {
        let whole = line(text)
        var (shown, count, bytes) = ("", 0, 0)
        for character in whole {
            bytes += character.utf8.count
            guard count < limit, bytes <= limit * Self.bytesPerCharacter else {
                if count == limit { shown.removeLast() }
                return shown + "…"
            }
            shown.append(character)
            count += 1
        }
        return shown
    }

    /// Bytes of UTF-8 that characters may have on average: enough for any family of emoji.
    private static let bytesPerCharacter = 32
}
