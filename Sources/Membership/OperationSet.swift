/// A set of operations by their place in the order of insertion, one bit each.
struct OperationSet: Hashable, Sendable {
    private var words: [UInt64] = []

    func contains(_ index: Int) -> Bool {
        index / 64 < words.count && words[index / 64] & (1 << UInt64(index % 64)) != 0
    }

    mutating func insert(_ index: Int) {
        while words.count <= index / 64 { words.append(0) }
        words[index / 64] |= 1 << UInt64(index % 64)
    }

    mutating func formUnion(_ other: OperationSet) {
        while words.count < other.words.count { words.append(0) }
        for index in other.words.indices { words[index] |= other.words[index] }
    }

    /// The members, ascending.
    var elements: [Int] {
        var elements: [Int] = []
        for (place, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                elements.append(place * 64 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
        return elements
    }
}
