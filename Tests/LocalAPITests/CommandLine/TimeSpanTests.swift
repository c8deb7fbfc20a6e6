import Testing

@testable import moot

@Suite("How long something lasts")
struct TimeSpanTests {
    @Test(arguments: [("1s", 1), ("45s", 45), ("30m", 1_800), ("8h", 28_800), ("1d", 86_400), ("520w", 314_496_000)])
    func `is a number and a unit`(text: String, seconds: Int) {
        #expect(TimeSpan(argument: text)?.seconds == seconds)
    }

    @Test(arguments: [
        "", "s", "5", "0s", "-1h", "1.5h", "1y", "h1", "3651d", "9223372036854775807w", "99999999999999999999s",
    ])
    func `is nothing else`(text: String) {
        #expect(TimeSpan(argument: text) == nil)
    }
}
