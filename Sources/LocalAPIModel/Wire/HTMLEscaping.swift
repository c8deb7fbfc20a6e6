/// Text in HTML, between tags or in an attribute between quotes.
package enum HTMLEscaping {
    private static let special: Set<UInt8> = Set("&<>\"'".utf8)

    /// Writes a text so that nothing in it is markup.
    package static func escape(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(where: { special.contains($0) }) else { return String(text) }
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
