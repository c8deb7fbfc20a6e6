import Foundation
import OperationLog
import Time

/// Reads the wall clock and prints times as the interface does.
enum Clock {
    /// The time now, brought into the years an operation may claim.
    static var now: Timestamp {
        Timestamp(clamping: Int64((Date().timeIntervalSince1970 * 1_000).rounded()))
    }

    /// How long the processor has worked for this thread.
    static var threadTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// RFC 3339 with milliseconds, in UTC: `2026-11-21T09:30:00.000Z`.
    ///
    /// By hand: a list of 1,000 conversations has 9,000 times in it, and what Foundation writes is now and then a
    /// millisecond early.
    static func text(_ milliseconds: Int64) -> String {
        let day = (milliseconds - (milliseconds < 0 ? 86_399_999 : 0)) / 86_400_000
        let time = milliseconds - day * 86_400_000
        let date = date(ofDay: day)
        var text: [UInt8] = []
        text.reserveCapacity(24)
        func append(_ number: Int64, digits: Int, then separator: Unicode.Scalar) {
            var unit: Int64 = digits == 4 ? 1_000 : digits == 3 ? 100 : 10
            while unit > 0 {
                text.append(UInt8(ascii: "0") + UInt8(number / unit % 10))
                unit /= 10
            }
            text.append(UInt8(ascii: separator))
        }
        append(date.year, digits: 4, then: "-")
        append(date.month, digits: 2, then: "-")
        append(date.day, digits: 2, then: "T")
        append(time / 3_600_000, digits: 2, then: ":")
        append(time / 60_000 % 60, digits: 2, then: ":")
        append(time / 1_000 % 60, digits: 2, then: ".")
        append(time % 1_000, digits: 3, then: "Z")
        return String(decoding: text, as: UTF8.self)
    }

    /// The date of a day counted from 1970-01-01: `2026-11-21`.
    static func name(ofDay day: Int64) -> String { String(text(day * 86_400_000).prefix(10)) }

    /// The date of a day counted from 1970-01-01, in the years 0 to 9999; days outside of them are taken for the
    /// nearest.
    ///
    /// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`: years begin in March, so that
    /// the leap day is their last.
    private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = min(max(day, -719_528), 2_932_896) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let isNextYear = month >= 10
        return (
            yearOfEra + era * 400 + (isNextYear ? 1 : 0), month + (isNextYear ? -9 : 3),
            dayOfYear - (153 * month + 2) / 5 + 1
        )
    }

    /// Reads a time of RFC 3339, with or without fractions of a second and in any time zone; nil where it is none.
    static func time(_ text: String) -> Timestamp? {
        for hasFraction in [false, true] {
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction)
            guard let date = try? Date(text, strategy: style) else { continue }
            let milliseconds = date.timeIntervalSince1970 * 1_000
            return Int64(exactly: milliseconds.rounded()).flatMap { Timestamp(milliseconds: $0) }
        }
        return nil
    }
}
