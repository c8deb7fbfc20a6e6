import Foundation
import OperationLog
import Testing
import Time

@testable import Node

@Suite("Times of the interface")
struct ClockTests {
    @Test(arguments: [
        0, -1, 951_782_400_000, 951_868_800_000, 1_709_164_800_000, 4_102_444_799_999, 4_107_542_400_000,
        -62_167_219_200_000, 253_402_300_799_999,
    ])
    func `are those of the system's calendar, also around leap days`(milliseconds: Int64) {
        #expect(Clock.text(milliseconds) == system(milliseconds))
    }

    @Test func `are those of the system's calendar, on every day of two hundred years`() {
        for day in stride(from: Int64(0), to: 73_000, by: 1) {
            let milliseconds = day * 86_400_000 + day * 1_000_003 % 86_400_000
            guard Clock.text(milliseconds) != system(milliseconds) else { continue }
            Issue.record("\(milliseconds): \(Clock.text(milliseconds)), not \(system(milliseconds))")
            return
        }
    }

    @Test func `are read back as they were written, in any time zone and with or without fractions`() {
        #expect(Clock.time("2026-11-21T09:30:00.250Z") == Timestamp(milliseconds: 1_795_253_400_250))
        #expect(Clock.time("2026-11-21T10:30:00+01:00") == Timestamp(milliseconds: 1_795_253_400_000))
        for text in ["", "tomorrow", "2026-13-01T00:00:00Z", "1999-12-31T23:59:59Z", "2026-11-21"] {
            #expect(Clock.time(text) == nil, "\(text)")
        }
    }

    private func system(_ milliseconds: Int64) -> String {
        let fraction = (milliseconds % 1_000 + 1_000) % 1_000
        var seconds = Int((milliseconds - fraction) / 1_000)
        var date = tm()
        gmtime_r(&seconds, &date)
        return String(
            format: "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", date.tm_year + 1_900, date.tm_mon + 1, date.tm_mday,
            date.tm_hour, date.tm_min, date.tm_sec, Int32(fraction))
    }
}
