import Foundation

/// What somebody looks for: words that must all be in a text, the last of them perhaps only begun.
///
/// Words are runs of letters and digits, without case and diacritics. Where a script has no spaces between words, a
/// word is found wherever its characters follow each other: 世界 in 你好世界.
struct SearchTerms: Hashable, Sendable {
    /// Words one search may have.
    static let maximumTerms = 16
    /// Bytes a search may have.
    static let maximumLength = 1_000

    /// The words, folded; at least one.
    let words: [String]
    /// The words in parts, each of one kind of script.
    private let terms: [[WordPart]]
    /// Whether the last word may go on.
    let isOpenEnded: Bool

    /// Reads what a person typed; nil without a word, with more than ``maximumTerms``, or beyond ``maximumLength``.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        let found = Self.words(of: text).map { text[$0] }.filter { !WordPart.parts(of: $0).isEmpty }
        guard (1...Self.maximumTerms).contains(found.count) else { return nil }
        words = found.map(WordPart.fold)
        terms = found.map(WordPart.parts)
        isOpenEnded = text.last.map(Self.isInWord) ?? false
    }

    /// The same as an expression of FTS5: a phrase for each word. Every phrase is quoted, so nothing in it is an
    /// operator.
    var expression: String {
        terms.indices.map { index in
            guard let last = terms[index].last else { return "" }
            var tokens = terms[index].dropLast().flatMap(\.tokens)
            var isPrefix = false
            if mayGoOn(last, at: index) {
                let open = last.openTokens
                tokens += open.tokens
                isPrefix = open.isPrefix
            } else {
                tokens += last.tokens
            }
            return "\"\(tokens.joined(separator: " "))\"" + (isPrefix ? "*" : "")
        }.joined(separator: " ")
    }

    /// The words of a text as the index has them: so what a search finds is the same with an index and without.
    static func indexed(_ text: String) -> String {
        words(of: text).flatMap { WordPart.parts(of: text[$0]).flatMap(\.tokens) }.joined(separator: " ")
    }

    /// Whether a text has all the words.
    func match(_ text: String) -> Bool {
        if let isMatch = text.utf8.withContiguousStorageIfAvailable(matchPlain) ?? nil { return isMatch }
        let parts = Self.words(of: text).flatMap { WordPart.parts(of: text[$0]) }
        return terms.indices.allSatisfy { index in parts.indices.contains { matches(parts[$0...], at: index) } }
    }

    /// A text, or the part around the first of the words that it has: at most so many characters and an ellipsis on
    /// either side.
    func excerpt(of text: String, length: Int = 80) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        guard line.count > length else { return line }
        let center = firstHit(in: line).map { line.distance(from: line.startIndex, to: $0) } ?? 0
        let start = min(max(0, center - length / 3), line.count - length)
        let part = line.dropFirst(start).prefix(length)
        return (start > 0 ? "…" : "") + part + (start + length < line.count ? "…" : "")
    }

    /// Where the first of the words begins in a text.
    private func firstHit(in text: String) -> String.Index? {
        let places = Self.words(of: text).flatMap { word in WordPart.placedParts(of: text[word]) }
        let parts = places.map(\.part)
        for place in places.indices {
            guard let index = terms.indices.first(where: { matches(parts[place...], at: $0) }) else { continue }
            let range = places[place].range
            // In a run without spaces it may begin in the midst.
            let found = text.range(
                of: terms[index].first?.text ?? "", options: [.caseInsensitive, .diacriticInsensitive], range: range)
            return found?.lowerBound ?? range.lowerBound
        }
        return nil
    }

    /// Whether the parts of a text begin with the parts of a word.
    private func matches(_ parts: ArraySlice<WordPart>, at index: Int) -> Bool {
        let term = terms[index]
        guard parts.count >= term.count else { return false }
        return zip(parts, term).enumerated().allSatisfy { number, pair in
            let (part, sought) = pair
            guard part.isUnspaced == sought.isUnspaced else { return false }
            let (isFirst, isLast) = (number == 0, number == term.count - 1)
            // By bytes, as an index compares: a character may go on where a word is only begun.
            let (text, begin) = (part.text.utf8, sought.text.utf8)
            return switch (isFirst && sought.isUnspaced, isLast && mayGoOn(sought, at: index)) {
            case (true, true): part.text.unicodeScalars.contains(sought.text.unicodeScalars)
            case (true, false): part.text.unicodeScalars.reversed().starts(with: sought.text.unicodeScalars.reversed())
            case (false, true): text.starts(with: begin)
            case (false, false): text.elementsEqual(begin)
            }
        }
    }

    /// Whether the last part of a word may go on: after the word that was typed last, and wherever nobody sees the end
    /// of a word.
    private func mayGoOn(_ last: WordPart, at index: Int) -> Bool {
        last.isUnspaced || isOpenEnded && index == words.count - 1
    }

    /// The same for ASCII, which most of a long history is, twenty times as fast; nil for anything else.
    private func matchPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool? {
        guard text.allSatisfy({ $0 < 0x80 }) else { return nil }
        let found = text.split { !WordPart.isPlain($0) }
        return words.indices.allSatisfy { index in
            let word = words[index].utf8
            return found.contains { part in
                let isLongEnough =
                    isOpenEnded && index == words.count - 1 ? part.count >= word.count : part.count == word.count
                // Bit 5 is the case of a letter; in a digit it is set.
                return isLongEnough && zip(part, word).allSatisfy { $0 | 0x20 == $1 }
            }
        }
    }

    private static func words(of text: String) -> [Range<String.Index>] {
        var found: [Range<String.Index>] = []
        var start: String.Index?
        for index in text.indices {
            if isInWord(text[index]) {
                start = start ?? index
            } else if let begin = start {
                found.append(begin..<index)
                start = nil
            }
        }
        if let start { found.append(start..<text.endIndex) }
        return found
    }

    private static func isInWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }
}
