import Conversations

/// Text that somebody else wrote, made harmless for a terminal as ``SanitizedText`` makes it.
enum TerminalText {
    /// One line: line breaks and tabs become spaces.
    static func line(_ text: String) -> String { SanitizedText.line(text) }

    /// Several lines: line breaks stay, tabs become spaces, and every line after the first is indented, so that none
    /// can pass for a message of its own.
    static func block(_ text: String, indentation: String) -> String {
        SanitizedText.clean(text, lineBreak: "\n" + indentation)
    }

    /// Lines as they are printed: without any control but line breaks, tabs and the styles of ``Output``, and without
    /// what orders bidirectional text, whatever a node said its ids are.
    static func printed(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnwanted) else { return text }
        let parts = text.split(separator: "\u{1B}", omittingEmptySubsequences: false)
        return parts.enumerated().map { index, part in
            let isStyled = index > 0 && ["[0m", "[1m", "[2m"].contains(where: part.hasPrefix)
            let rest = String(String.UnicodeScalarView(part.unicodeScalars.filter { !isUnwanted($0) }))
            return isStyled ? "\u{1B}" + rest : rest
        }.joined()
    }

    private static func isUnwanted(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\n", "\t": false
        case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}": true
        default: scalar.properties.isBidiControl
        }
    }

    /// So many bytes as a person says it.
    static func size(_ bytes: Int) -> String {
        let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
        var (size, unit) = (min(bytes, .max / 10) * 10, 0)
        while size >= 10_240, unit < units.count - 1 { (size, unit) = (size / 1_024, unit + 1) }
        return unit == 0 || size >= 1_000 ? "\(size / 10) \(units[unit])" : "\(size / 10).\(size % 10) \(units[unit])"
    }

    /// So many of something, in words.
    static func count(_ number: Int, _ thing: String) -> String { number == 1 ? "1 \(thing)" : "\(number) \(thing)s" }
}
