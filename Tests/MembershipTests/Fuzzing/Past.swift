/// What came before an operation of a random graph: a set of the numbers 0 to 63.
struct Past: Hashable {
    private var bits: UInt64 = 0

    func contains(_ number: Int) -> Bool { bits >> UInt64(number) & 1 == 1 }

    /// Takes in an operation and what came before it.
    mutating func formUnion(_ number: Int, _ past: Past) { bits |= past.bits | 1 << UInt64(number) }
}
