import Foundation

/// What a user looks for among names: words, each of which begins a word of the name.
///
/// Upper and lower case, accents and width make no difference, so "zoe" finds "Zoë", and "mu" finds "Anna Müller".
struct NameQuery {
    private let beginnings: [String]

    /// Reads what was typed; without any word it matches every name.
    init(_ text: String) { beginnings = Self.words(of: text) }

    /// Whether a name has all the words.
    ///
    /// - Complexity: O(*n* · *w*) in the length of the name and the words that are looked for.
    func matches(_ name: String) -> Bool {
        guard !beginnings.isEmpty else { return true }
        let words = Self.words(of: name)
        return beginnings.allSatisfy { beginning in words.contains { $0.hasPrefix(beginning) } }
    }

    /// The words of a text, folded so that equal ones are equal strings. Marks that divide words are in no word; an
    /// emoji is one.
    private static func words(of text: String) -> [String] {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
            .split { $0.isWhitespace || $0.isPunctuation }.map(String.init)
    }
}
