/// Words that one direction of a channel remembers: ids and keys of 32 bytes, which message after message names again.
///
/// Both ends keep the same table, for frames come in the order in which they were sealed. The sender alone decides what
/// is remembered.
///
/// A word is left out whole or not at all. If any bytes that came before could be left out, whoever has bytes of their
/// choice sent along could guess others one by one, and read from the length of a frame whether they guessed right
/// (CRIME, Rizzo and Duong 2012). Nobody guesses 32 bytes at once.
struct RememberedWords<Word: Equatable & Sendable>: Sendable {
    /// Words at most; the next one takes the place of the oldest. As many as a full group has devices, and what else
    /// its messages name.
    static var maximumCount: Int { 512 }

    private var words: [Word] = []
    /// The place of the oldest word, once there is no more room.
    private var oldest = 0

    /// The word at a place; nil if none is there.
    subscript(place: Int) -> Word? { words.indices.contains(place) ? words[place] : nil }

    /// Where a word is; nil if it is not remembered.
    ///
    /// - Complexity: O(``maximumCount``): a look at memory in a row, which for so few words is faster than a hash of 32
    ///   bytes.
    func place(of word: Word) -> Int? { words.firstIndex(of: word) }

    /// Remembers a word.
    mutating func remember(_ word: Word) {
        guard words.count == Self.maximumCount else { return words.append(word) }
        words[oldest] = word
        oldest = (oldest + 1) % Self.maximumCount
    }
}
