import Testing

@testable import moot

@Suite("A time as somebody writes it")
struct WrittenTimeTests {
    /// 2026-11-21T09:30:00Z.
    private let now = 1_795_253_400

    @Test func `is a while before or after now`() {
        #expect(WrittenTime.beginning(before: "2h", now: now) == "2026-11-21T07:30:00Z")
        #expect(WrittenTime.end(after: "2h", now: now) == "2026-11-21T11:30:00Z")
        #expect(WrittenTime.beginning(before: "18:30", now: now) == nil)
    }

    @Test(arguments: ["00:00", "9:30", "18:30", "23:59"])
    func `is when a clock shows it next, or showed it last`(clock: String) throws {
        let next = try #require(WrittenTime.next(clock: clock, now: now))
        let last = try #require(WrittenTime.last(clock: clock, now: now))
        #expect(last <= "2026-11-21T09:30:00Z" && "2026-11-20T09:30:00Z" < last)
        #expect("2026-11-21T09:30:00Z" < next && next <= "2026-11-22T09:30:00Z")
    }

    @Test(arguments: ["", "24:00", "1830", "18:60", ":", "2026-11-21T09:30:00Z"])
    func `is nothing else`(clock: String) {
        #expect(WrittenTime.next(clock: clock, now: now) == nil && WrittenTime.last(clock: clock, now: now) == nil)
    }
}
