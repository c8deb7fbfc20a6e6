import Testing

@testable import moot

@Suite("Bars of block characters")
struct BarsTests {
    @Test(arguments: [
        (0, 8, 4, ""), (8, 8, 4, "████"), (4, 8, 4, "██"), (1, 8, 1, "▏"), (7, 8, 1, "▉"), (1, 1_000_000, 4, "▏"),
        (5, 0, 4, ""), (9, 8, 2, "██"), (.max, .max, 3, "███"), (3, 8, 0, ""),
    ])
    func `lie as long as their share, and show whatever there is`(value: Int, greatest: Int, width: Int, bar: String) {
        #expect(Bars.lying(value, of: greatest, width: width) == bar)
    }

    @Test func `stand as high as their share, with gaps where there is room`() {
        #expect(Bars.standing([0, 1, 4, 8], height: 1, width: 4) == [" ▁▄█"])
        #expect(Bars.standing([1, 16, 8], height: 2, width: 9) == ["   ██", "▁▁ ██ ██"])
        #expect(Bars.standing([0, 0], height: 2, width: 10) == ["", ""])
        #expect(Bars.standing([], height: 1, width: 10) == [""])
    }

    @Test func `more values than columns are joined`() {
        #expect(Bars.joining([1, 2, 3, 4, 5], width: 2) { $0.reduce(0, +) } == [6, 9])
        #expect(Bars.joining([1, 2, 3], width: 3) { $0.reduce(0, +) } == [1, 2, 3])
        #expect(Bars.joining([1, 2, 3], width: 2) { $0.last ?? 0 } == [2, 3])
        #expect(Bars.joining([], width: 0) { $0.reduce(0, +) }.isEmpty)
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `never are wider than the terminal`(seed: UInt64) {
        var random = SplitMix64(state: seed)
        let width = Int.random(in: 1...200, using: &random)
        let values = (0..<Int.random(in: 1...400, using: &random)).map { _ in Int.random(in: 0...50, using: &random) }
        let joined = Bars.joining(values, width: width) { $0.reduce(0, +) }
        #expect(joined.count <= width)
        #expect(joined.reduce(0, +) == values.reduce(0, +))
        #expect(Bars.standing(joined, height: 3, width: width).allSatisfy { $0.count <= width })
    }
}
