/// A set of small numbers, one bit each.
struct NumberSet: Hashable, Sendable {
    private var words: [UInt64]

    /// An empty set with room for the numbers below `limit`.
    init(limit: Int) {
        words = Array(repeating: 0, count: (limit + 63) / 64)
    }

    func contains(_ number: Int) -> Bool { words[number / 64] >> UInt64(number % 64) & 1 == 1 }

    mutating func insert(_ number: Int) { words[number / 64] |= 1 << UInt64(number % 64) }

    mutating func formUnion(_ other: NumberSet) {
        for index in words.indices { words[index] |= other.words[index] }
    }

    func isSuperset(of other: NumberSet) -> Bool {
        words.indices.allSatisfy { other.words[$0] & ~words[$0] == 0 }
    }
}
