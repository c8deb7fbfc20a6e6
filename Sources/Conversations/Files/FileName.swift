/// What a file is called by its sender, which nobody relies on.
public enum FileName {
    /// Bytes of UTF-8, at most: as many as a name has on a disk.
    public static let maximumBytes = 255

    /// Whether a file may be sent by that name.
    public static func isAllowed(_ name: String) -> Bool { (1...maximumBytes).contains(name.utf8.count) }

    /// A name for a folder of the reader's, also on a disk that other systems read: it leads nowhere else, hides
    /// nothing, is no option of a command, and is shown as it is.
    ///
    /// - Returns: 1 to ``maximumBytes`` bytes; the same name for what it gave before.
    public static func sanitized(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        // Scalar by scalar: with a mark on it, a slash or a dot is another character and means the same to a disk.
        for scalar in SanitizedText.line(name).unicodeScalars {
            scalars.append(forbidden.contains(scalar) ? "_" : scalar)
        }
        var cleaned = trimmed(String(scalars))
        if let first = cleaned.unicodeScalars.first, meaningful.contains(first) {
            cleaned = "_" + String(cleaned.unicodeScalars.dropFirst())
        }
        cleaned = trimmed(cut(cleaned, to: maximumBytes))
        return cleaned.isEmpty ? "file" : cleaned
    }

    /// The same name with a number before its ending, for a folder where it is taken: `sails (2).jpg`.
    ///
    /// - Parameter name: made harmless.
    /// - Returns: at most ``maximumBytes`` bytes; of a name that is too long the end of its stem is missing.
    public static func numbered(_ name: String, _ number: Int) -> String {
        let (stem, ending) = parts(of: name)
        return fitted(stem, before: " (\(number))" + ending)
    }

    /// What a photo is called that was made of a file: `shot.jpg` for `shot.png`.
    ///
    /// - Returns: at most ``maximumBytes`` bytes.
    public static func ofPhoto(madeOf name: String) -> String {
        let (stem, ending) = parts(of: name)
        switch ending.lowercased() {
        case ".jpg", ".jpeg": return name
        case ".png": return fitted(stem, before: ".jpg")
        default: return fitted(name, before: ".jpg")
        }
    }

    /// A name without its ending, and the ending with its dot.
    private static func parts(of name: String) -> (stem: String, ending: String) {
        guard let dot = name.unicodeScalars.lastIndex(of: "."), dot > name.startIndex else { return (name, "") }
        let ending = String(name.unicodeScalars[dot...])
        return ending.utf8.count <= maximumEndingBytes ? (String(name.unicodeScalars[..<dot]), ending) : (name, "")
    }

    /// A name that ends so, of which as much is left as has room.
    private static func fitted(_ stem: String, before end: String) -> String {
        let short = trimmed(cut(stem, to: maximumBytes - end.utf8.count))
        return (short.isEmpty ? "file" : short) + end
    }

    /// What separates folders, here or elsewhere, and what some disks have no names with.
    private static let forbidden: Set<Unicode.Scalar> = ["/", "\\", "\"", "*", ":", "<", ">", "?", "|"]

    /// What means something at the beginning of a name: hidden, an option, a home.
    private static let meaningful: Set<Unicode.Scalar> = [".", "-", "~"]

    /// Bytes of the longest ending that tells a kind of file, with its dot.
    private static let maximumEndingBytes = 32

    /// Without white space around it, and without dots at its end, which some disks leave out silently.
    private static func trimmed(_ text: String) -> String {
        var text = text.drop(while: \.isWhitespace)
        while let last = text.last, last == "." || last.isWhitespace { text.removeLast() }
        return String(text)
    }

    /// As many characters of a text as have room.
    private static func cut(_ text: String, to byteCount: Int) -> String {
        var room = byteCount
        return String(
            text.prefix { character in
                room -= character.utf8.count
                return room >= 0
            })
    }
}
