import Testing
import Time

@Suite("A histogram of durations")
struct DurationHistogramTests {
    @Test func `counts each duration in the first bucket that has room for it`() {
        var histogram = DurationHistogram(bounds: [.milliseconds(1), .milliseconds(10), .seconds(1)])
        for duration: Duration in [.zero, .milliseconds(1), .microseconds(1_001), .milliseconds(10), .seconds(2)] {
            histogram.count(duration)
        }
        #expect(histogram.cumulativeCounts.map(\.count) == [2, 4, 4])
        #expect(histogram.total == 5)
        #expect(histogram.sum == .microseconds(1_000 + 1_001 + 10_000 + 2_000_000))
    }

    @Test func `takes what took less than nothing for no time`() {
        var histogram = DurationHistogram(bounds: [.milliseconds(1)])
        histogram.count(.seconds(-7))
        #expect(histogram.cumulativeCounts.map(\.count) == [1] && histogram.sum == .zero)
    }

    @Test(arguments: [0, 1, DurationHistogram.maximumBounds, 40])
    func `has a bucket for what is longer than all bounds, however many there are`(count: Int) {
        var histogram = DurationHistogram(bounds: (0..<count).map { .seconds($0) })
        histogram.count(.seconds(100))
        #expect(histogram.total == 1)
        #expect(histogram.bounds.count == min(count, DurationHistogram.maximumBounds))
        #expect(histogram.cumulativeCounts.allSatisfy { $0.count == 0 })
    }
}
