/// A word that Moot itself shows in the place of a person's or a conversation's name: nobody's name.
///
/// Nobody can give it, or what looks like it, to themselves or to a group. Others may have it all the same, for nothing
/// holds their nodes to that: then ``DisplayName/shown(_:)`` marks it. The page has the same list in `words.js`.
public enum OwnWord: String, Hashable, Sendable, CaseIterable {
    /// What a user's direct conversation with themselves is called, on their devices alone.
    case notes = "Notes to yourself"
    /// A group without a name in which nobody else is.
    case onlyYou = "Only you"
    /// The reader.
    case you = "You"
    /// Somebody of whom no name is known.
    case unknown = "Unknown"
    /// Everybody who ended their identity.
    case deletedUser = "Deleted User"
    /// Where somebody may be chosen, and is not.
    case nobody = "Nobody"

    /// What is typed for oneself and for one's notes. It is shown nowhere, so what only looks like it misleads nobody.
    public static let me = "me"

    /// The word that a text is or looks like, whatever stands between and around its letters; nil for any other text.
    public init?(imitatedBy text: String) {
        guard Self.mayImitate(text) else { return nil }
        // A bar is an l, or stands around a word.
        let readings = text.contains("|") ? [text, text.filter { $0 != "|" }] : [text]
        guard let word = readings.lazy.compactMap({ Self.words[NameLook(of: $0).letters] }).first else { return nil }
        self = word
    }

    private static let words = Dictionary(
        uniqueKeysWithValues: allCases.map { (NameLook(of: $0.rawValue).letters, $0) })

    /// Whether more is to be looked at than how a text begins: most names are asked for in lists, and are ASCII.
    private static func mayImitate(_ text: String) -> Bool {
        guard SanitizedText.isPlain(text) else { return true }
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        return text.utf8.first { letters.contains($0 | 0x20) || $0 == UInt8(ascii: "0") }
            .map("nNoO0yYuUdD".utf8.contains) ?? false
    }

    /// What Moot says of people behind their names, in parentheses.
    private static let remarks = Set(
        ["you", "admin", "member", "verified", "blocked", "a chosen name"].map { NameLook(of: $0).letters })

    /// Whether a name would be taken for something that Moot says: for one of its words, or for a name with a remark of
    /// its own behind it.
    static func isImitated(by name: String) -> Bool {
        OwnWord(imitatedBy: name) != nil || remark(behind: name).map(remarks.contains) ?? false
    }

    /// The letters between the brackets at the end of a name, of whatever kind these are; nil where there are none.
    private static func remark(behind name: String) -> String? {
        let scalars = name.unicodeScalars
        guard scalars.last?.properties.generalCategory == .closePunctuation,
            let start = scalars.lastIndex(where: { $0.properties.generalCategory == .openPunctuation })
        else { return nil }
        return NameLook(of: String(scalars[start...].dropFirst())).letters
    }

    /// How somebody's name is shown that is or looks like what Moot says.
    public static func marking(_ name: String) -> String { "\"\(name)\" (a chosen name)" }
}
