/// What a file is called by who sent it, which nobody relies on.
public enum FileName {
    /// Bytes of UTF-8, at most: as many as a name has on a disk.
    public static let byteLimit = 255

    /// Whether a file may be sent by that name.
    public static func isAllowed(_ name: String) -> Bool { (1...byteLimit).contains(name.utf8.count) }

    /// A name for a folder of the reader's: it leads nowhere else, hides nothing, and is shown as it is.
    public static func harmless(_ name: String) -> String {
        var cleaned = ""
        for character in HarmlessText.line(name) {
            // A character may be a slash with something on it.
            let isSeparator = character.unicodeScalars.contains { $0 == "/" || $0 == "\\" }
            let next = isSeparator ? "_" : String(character)
            guard cleaned.utf8.count + next.utf8.count <= byteLimit else { break }
            cleaned += next
        }
        cleaned = String(cleaned.drop(while: \.isWhitespace))
        while cleaned.last?.isWhitespace == true { cleaned.removeLast() }
        if cleaned.first == "." { cleaned = "_" + cleaned.dropFirst() }
        return cleaned.isEmpty ? "file" : cleaned
    }
}
