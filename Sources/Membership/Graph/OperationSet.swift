/// A set of operations by number, in one bit each; what is complete from the beginning costs nothing.
///
/// The past of an operation is nearly always "everything up to here but for a few", so a set keeps how many words are full and the
/// words after them. The worst case is a past that lacks something early: one bit for each operation since. Equal sets are stored
/// alike.
struct OperationSet: Hashable, Sendable {
    private var fullWords = 0
    /// The words after the full ones: the first is not full, the last is not empty.
    private var words: [UInt64] = []

    /// Whether an operation is in the set. O(1).
    func contains(_ number: Int) -> Bool {
        let word = number >> 6 - fullWords
        guard word >= 0 else { return true }
        return word < words.count && words[word] & (1 << UInt64(number & 63)) != 0
    }

    /// Puts an operation in.
    mutating func insert(_ number: Int) {
        let word = number >> 6 - fullWords
        guard word >= 0 else { return }
        while words.count <= word { words.append(0) }
        words[word] |= 1 << UInt64(number & 63)
        normalize()
    }

    /// Puts all operations of another set in. O(*n*/64) in what is not complete.
    mutating func formUnion(_ other: OperationSet) {
        if other.fullWords > fullWords {
            words.removeFirst(min(words.count, other.fullWords - fullWords))
            fullWords = other.fullWords
        }
        for (index, word) in other.words.enumerated() {
            let place = index + other.fullWords - fullWords
            guard place >= 0 else { continue }
            while words.count <= place { words.append(0) }
            words[place] |= word
        }
        normalize()
    }

    private mutating func normalize() {
        let full = words.prefix { $0 == .max }.count
        guard full > 0 else { return }
        words.removeFirst(full)
        fullWords += full
    }

    /// The operations, ascending.
    var elements: [Int] {
        var elements = Array(0..<fullWords * 64)
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                elements.append((fullWords + index) * 64 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
        return elements
    }
}
