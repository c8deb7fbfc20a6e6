import OperationLog

/// Text that somebody else wrote, made harmless to show.
///
/// Control characters (C0, DEL and C1) could move a terminal's cursor, recolor the screen or answer for the user.
/// Marks, embeddings, overrides and isolates of the bidirectional algorithm could show a text, or the text next to it,
/// in another order than it has. Other format controls that nobody sees could make two names look alike. They are taken
/// out, but for those by which scripts and emoji join letters: U+200C, U+200D, and the tags of a flag. Everything else,
/// in whatever script, stays.
public enum SanitizedText {
    /// One line: line breaks and tabs become spaces.
    public static func line(_ text: String) -> String { clean(text, lineBreak: " ") }

    /// The text with every line break replaced, and tabs by spaces.
    public static func clean(_ text: String, lineBreak: String) -> String {
        if isPlain(text) { return text }
        var cleaned = String.UnicodeScalarView()
        var wasReturn = false
        var isInFlag = false
        for scalar in text.unicodeScalars {
            defer { isInFlag = scalar == "\u{1F3F4}" || isInFlag && isTag(scalar) }
            switch scalar {
            case "\n" where wasReturn:
                break
            case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}":
                cleaned.append(contentsOf: lineBreak.unicodeScalars)
            case "\t":
                cleaned.append(" ")
            case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}":
                break
            case _ where isInvisibleControl(scalar) && !(isInFlag && isTag(scalar)):
                break
            default:
                cleaned.append(scalar)
            }
            wasReturn = scalar == "\r"
        }
        return String(cleaned)
    }

    /// Whether a text is printable ASCII, of which nothing is left out or replaced.
    static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20...0x7E).contains($0) } }

    /// Whether a scalar says how others are shown, and is not seen itself.
    private static func isInvisibleControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\u{200C}", "\u{200D}": false
        case "\u{FFF9}"..."\u{FFFB}": true
        // The signs around Arabic numbers are format controls, too, and are seen.
        default: scalar.properties.generalCategory == .format && scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// Whether a scalar spells the region of a flag.
    private static func isTag(_ scalar: Unicode.Scalar) -> Bool { ("\u{E0020}"..."\u{E007F}").contains(scalar) }

    /// One line of at most so many characters; where something is cut it ends with "…". No character is split, and one
    /// that is made of more scalars than any script needs is cut away with what follows it.
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

    /// Bytes of UTF-8 that characters may have on average: as many as those of a name.
    private static let bytesPerCharacter = DisplayName.maximumBytes / DisplayName.maximumLength
}
