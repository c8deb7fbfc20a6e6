import OperationLog

/// How a name looks. Readers do not tell two names of one look apart.
///
/// A name without what a reader does not see or compare: case, spaces that are more than one, marks, and which of
/// several letters it is that look alike, as the Cyrillic А and the Latin A. It is made as a skeleton of UTS #39 is,
/// and takes more for alike: marks over letters, i and l, and rn and m. It is for comparing only. Equal looks are a
/// reason to ask or to warn, never to take one person for another.
public struct NameLook: Hashable, Sendable {
    /// The same for all names of this look; nobody is shown it.
    public let text: String

    /// Looks at a name.
    ///
    /// - Complexity: O(*n*) in its length.
    public init(of name: String) {
        // In a name of another script alone both cases are one: capitals, of which more look like letters of ASCII than
        // of the small ones.
        let isLatin = name.unicodeScalars.contains { $0.isASCII && $0.properties.isAlphabetic }
        var look = Look()
        for scalar in (isLatin ? name : name.uppercased()).unicodeScalars { look.append(scalar) }
        text = String(look.seen)
    }

    /// The letters and digits of it.
    var letters: String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.isAlphabetic || $0.isDigit }))
    }

    /// A look while it is made.
    private struct Look {
        var seen = String.UnicodeScalarView()
        private var isAfterSpace = false

        mutating func append(_ scalar: Unicode.Scalar) {
            if scalar.properties.isWhitespace {
                isAfterSpace = !seen.isEmpty
                return
            }
            guard DisplayName.isVisible(scalar), !LookAlikes.isMark(scalar) else { return }
            if isAfterSpace { seen.append(" ") }
            isAfterSpace = false
            let letters = scalar.isASCII ? nil : LookAlikes.letters(of: scalar)
            for letter in (letters ?? scalar.properties.lowercaseMapping).unicodeScalars { append(letter: letter) }
        }

        private mutating func append(letter: Unicode.Scalar) {
            switch letter {
            case "i", "1", "|": seen.append("l")
            case "0": seen.append("o")
            case "n" where seen.last == "r":
                seen.removeLast()
                seen.append("m")
            case _ where letter.properties.generalCategory == .dashPunctuation: seen.append("-")
            case "\u{60}", "\u{B4}", "\u{2BB}"..."\u{2BD}", "\u{2018}"..."\u{201B}", "\u{2032}": seen.append("'")
            default: seen.append(letter)
            }
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isDigit: Bool { properties.numericType == .decimal }
}
