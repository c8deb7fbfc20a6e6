import Testing

@testable import Node

@Suite("How much is taken into the index at once")
struct IndexingTests {
    @Test(
        arguments: [
            (0, []), (1, [1 << 20]), (1, [Indexing.partBytes, 1]), (2, [Indexing.partBytes - 1, 1, 1]),
            (8, Array(repeating: 16 << 10, count: 100)), (Indexing.partCount, Array(repeating: 100, count: 10_000)),
        ] as [(Int, [Int])])
    func `is at least one message, and no more than is done in a moment`(count: Int, lengths: [Int]) {
        #expect(Indexing.part(of: lengths) == count)
    }
}
