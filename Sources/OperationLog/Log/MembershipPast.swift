/// Some operations of a membership lane and everything before them: one bit for each place in the order of arrival.
///
/// The order of arrival extends the causal order, so a past is nearly always "everything up to here but for a few".
/// Words that are full from the beginning are counted and not stored. The worst case is a past that lacks something
/// early: one bit for each operation since. Equal pasts are stored alike.
public struct MembershipPast: Hashable, Sendable {
    private var fullWords = 0
    /// The words after the full ones: the first is not full, the last is not empty.
    private var words: [UInt64] = []

    /// Holds nothing.
    public init() {}

    /// Words that are stored.
    var weight: Int { words.count }
    /// Words for which there is room.
    var room: Int { words.capacity }

    /// The same past without room for more: while it grew, it may have had words that are full now.
    var trimmed: MembershipPast {
        var past = self
        past.words = words.withUnsafeBufferPointer { Array($0) }
        return past
    }

    /// How many operations it holds. O(*w*) in the words stored.
    public var count: Int { words.reduce(fullWords * 64) { $0 + $1.nonzeroBitCount } }

    /// Whether it holds the operation at a place. O(1).
    public func contains(_ place: Int) -> Bool {
        let word = place >> 6 - fullWords
        guard word >= 0 else { return true }
        return word < words.count && words[word] & (1 << UInt64(place & 63)) != 0
    }

    /// Takes in the operation at a place.
    package mutating func insert(_ place: Int) {
        let word = place >> 6 - fullWords
        guard word >= 0 else { return }
        if word >= words.count { words.append(contentsOf: repeatElement(0, count: word + 1 - words.count)) }
        words[word] |= 1 << UInt64(place & 63)
        normalize()
    }

    /// Takes in another past. O(*w*).
    mutating func formUnion(_ other: MembershipPast) {
        if other.fullWords > fullWords {
            words.removeFirst(min(words.count, other.fullWords - fullWords))
            fullWords = other.fullWords
        }
        let offset = other.fullWords - fullWords
        if words.count < other.words.count + offset {
            words.append(contentsOf: repeatElement(0, count: other.words.count + offset - words.count))
        }
        for index in max(0, -offset)..<max(0, -offset, other.words.count) {
            words[index + offset] |= other.words[index]
        }
        normalize()
    }

    /// What two pasts have in common, which is a past as well. O(*w*).
    public func intersection(_ other: MembershipPast) -> MembershipPast {
        var common = MembershipPast()
        common.fullWords = min(fullWords, other.fullWords)
        common.words = (common.fullWords..<max(fullWords, other.fullWords) + max(words.count, other.words.count)).map {
            word($0) & other.word($0)
        }
        while common.words.last == 0 { common.words.removeLast() }
        common.normalize()
        return common
    }

    /// Whether another past is a part of this one. O(*w*).
    public func isSuperset(of other: MembershipPast) -> Bool {
        other.elements(beyond: self, limit: 1).isEmpty
    }

    /// The places that another past lacks, ascending. O(*w*) and their number.
    public func elements(beyond other: MembershipPast) -> [Int] { elements(beyond: other, limit: .max) }

    private func elements(beyond other: MembershipPast, limit: Int) -> [Int] {
        var elements: [Int] = []
        for word in other.fullWords..<max(other.fullWords, fullWords + words.count) {
            var rest = self.word(word) & ~other.word(word)
            while rest != 0 {
                elements.append(word << 6 + rest.trailingZeroBitCount)
                guard elements.count < limit else { return elements }
                rest &= rest - 1
            }
        }
        return elements
    }

    private func word(_ index: Int) -> UInt64 {
        guard index >= fullWords else { return .max }
        return index - fullWords < words.count ? words[index - fullWords] : 0
    }

    private mutating func normalize() {
        let full = words.prefix { $0 == .max }.count
        guard full > 0 else { return }
        words.removeFirst(full)
        fullWords += full
    }
}
