import Foundation

/// What somebody looks for: words that must all be in a text, the last of them perhaps only begun.
///
/// Words are runs of letters and digits, without case and diacritics.
struct SearchTerms: Hashable, Sendable {
    /// Words one search may have.
    static let maximumTerms = 16
    /// Bytes a search may have.
    static let maximumLength = 1_000

    /// The words, folded; at least one.
    let words: [String]
    /// Whether the last word may go on.
    let isOpenEnded: Bool

    /// Reads what a person typed; nil without a word, with more than ``maximumTerms``, or beyond ``maximumLength``.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        let words = Self.words(of: text).map { Self.fold(text[$0]) }
        guard (1...Self.maximumTerms).contains(words.count) else { return nil }
        self.words = words
        isOpenEnded = text.last.map(Self.isInWord) ?? false
    }

    /// The same as an expression of FTS5. Every word is quoted, so none of them is an operator.
    var expression: String {
        words.map { "\"\(Self.token(for: $0))\"" }.joined(separator: " ") + (isOpenEnded ? "*" : "")
    }

    /// The words of a text as the index has them: so what a search finds is the same with an index and without.
    static func indexed(_ text: String) -> String {
        words(of: text).map { token(for: fold(text[$0])) }.joined(separator: " ")
    }

    /// A word in letters, digits and underscores of ASCII, which no tokenizer takes apart. A prefix of a word is a prefix of its token.
    private static func token(for word: String) -> String {
        var token: [UInt8] = []
        for byte in word.utf8 {
            if isInPlainWord(byte) {
                token.append(byte)
            } else {
                token += [UInt8(ascii: "_")] + String(byte, radix: 16).utf8
            }
        }
        return String(decoding: token, as: UTF8.self)
    }

    /// Whether a text has all the words.
    func match(_ text: String) -> Bool {
        if let isMatch = text.utf8.withContiguousStorageIfAvailable(matchPlain) ?? nil { return isMatch }
        let found = Self.words(of: text).map { Self.fold(text[$0]) }
        return words.indices.allSatisfy { index in found.contains { matches($0, at: index) } }
    }

    /// A text, or the part around the first of the words that it has: at most so many characters and an ellipsis on either side.
    func excerpt(of text: String, length: Int = 80) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        guard line.count > length else { return line }
        let hit = Self.words(of: line).first { range in
            let word = Self.fold(line[range])
            return words.indices.contains { matches(word, at: $0) }
        }
        let center = hit.map { line.distance(from: line.startIndex, to: $0.lowerBound) } ?? 0
        let start = min(max(0, center - length / 3), line.count - length)
        let part = line.dropFirst(start).prefix(length)
        return (start > 0 ? "…" : "") + part + (start + length < line.count ? "…" : "")
    }

    /// The same for ASCII, which most of a long history is, twenty times as fast; nil for anything else.
    private func matchPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool? {
        guard text.allSatisfy({ $0 < 0x80 }) else { return nil }
        let found = text.split { !Self.isInPlainWord($0) }
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

    private static func isInPlainWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    private func matches(_ word: String, at index: Int) -> Bool {
        // By bytes, as an index compares: a character may go on where a word is only begun.
        isOpenEnded && index == words.count - 1
            ? word.utf8.starts(with: words[index].utf8) : word.utf8.elementsEqual(words[index].utf8)
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

    private static func fold(_ word: Substring) -> String {
        word.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
}
