import Foundation

/// A run of letters and digits of one kind of script, folded: what begins at a space or where the kind of script
/// changes.
///
/// Chinese, Japanese, Thai and their like put no spaces between words, and Korean puts what belongs to a word right
/// behind it. Where words begin in those is a matter of dictionaries. So every place in such a run counts as a
/// beginning: in the index by pairs of characters, a bigram for each place.
struct WordPart: Hashable, Sendable {
    /// The run, without case and diacritics.
    let text: String
    /// Whether words may begin anywhere in it.
    let isUnspaced: Bool

    /// Takes a word apart; most words are one part. What consists of marks alone, of which folding leaves nothing, is
    /// none.
    static func parts(of word: Substring) -> [WordPart] { placedParts(of: word).map(\.part) }

    /// The parts of a word, and where they are in it.
    static func placedParts(of word: Substring) -> [(part: WordPart, range: Range<String.Index>)] {
        ranges(in: word).map { (WordPart(text: fold(word[$0.range]), isUnspaced: $0.isUnspaced), $0.range) }
            .filter { !$0.part.text.isEmpty }
    }

    private static func ranges(in word: Substring) -> [(range: Range<String.Index>, isUnspaced: Bool)] {
        var found: [(range: Range<String.Index>, isUnspaced: Bool)] = []
        for place in word.indices {
            let isUnspaced = word[place].unicodeScalars.first.map(Self.isUnspaced) ?? false
            let end = word.index(after: place)
            if let last = found.last, last.isUnspaced == isUnspaced {
                found[found.count - 1].range = last.range.lowerBound..<end
            } else {
                found.append((place..<end, isUnspaced))
            }
        }
        return found
    }

    /// A text without case and diacritics.
    static func fold(_ text: Substring) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }

    /// What the index has of it: the word, or for each place the character there and the next one, at the end the last
    /// one alone.
    var tokens: [String] {
        isUnspaced
            ? pairs + [text.unicodeScalars.last.map { Self.token(for: String($0)) } ?? ""] : [Self.token(for: text)]
    }

    /// The same of a beginning that may go on, and whether the last of it is the beginning of a token only.
    var openTokens: (tokens: [String], isPrefix: Bool) {
        guard isUnspaced, text.unicodeScalars.count > 1 else { return (tokens, true) }
        return (pairs, false)
    }

    private var pairs: [String] {
        let scalars = Array(text.unicodeScalars)
        return zip(scalars, scalars.dropFirst()).map { Self.token(for: String($0) + String($1)) }
    }

    /// A text in letters, digits and underscores of ASCII, which no tokenizer takes apart. A prefix of a text is a
    /// prefix of its token.
    static func token(for text: String) -> String {
        var token: [UInt8] = []
        for byte in text.utf8 {
            if isPlain(byte) {
                token.append(byte)
            } else {
                token += [UInt8(ascii: "_")] + String(byte, radix: 16).utf8
            }
        }
        return String(decoding: token, as: UTF8.self)
    }

    /// Whether a byte is a letter or digit of ASCII.
    static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    /// Whether a character belongs to a script in which words are not divided by spaces, by its block in Unicode.
    private static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x0E00 else { return false }
        return unspacedBlocks.contains { $0.contains(scalar.value) }
    }

    private static let unspacedBlocks: [ClosedRange<UInt32>] = [
        0x0E00...0x0EFF,  // Thai, Lao
        0x1000...0x109F,  // Burmese
        0x1100...0x11FF,  // Korean letters
        0x1780...0x17FF,  // Khmer
        0x2E80...0x2FDF,  // Chinese radicals
        // Signs and numbers among Chinese characters.
        0x3005...0x3007, 0x3021...0x3029, 0x3031...0x3035, 0x3038...0x303C,
        0x3040...0x318F,  // Japanese syllables, Bopomofo, Korean letters
        0x31A0...0x31BF, 0x31F0...0x31FF,  // more of both
        0x3400...0x4DBF, 0x4E00...0x9FFF,  // Chinese characters
        0xA960...0xA97F, 0xAC00...0xD7FF,  // Korean syllables
        0xA9E0...0xA9FF, 0xAA60...0xAA7F,  // more of Burmese
        0xF900...0xFAFF,  // Chinese characters for compatibility
        0xFF66...0xFFDC,  // Japanese and Korean of half width
        0x1B000...0x1B16F,  // Japanese syllables, historic
        0x20000...0x3FFFF,  // rare Chinese characters
    ]
}
